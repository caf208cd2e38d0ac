// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLatin1StringView>

namespace idem::sim {

/// The style sheet of HTML reports. Without `<`, `>` and `&`, which HTML and XML read differently in such a place.
constexpr QLatin1StringView reportStyle {R"css(
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  background: #ffffff; color: #1c1c1e; }
h1 { font-size: 1.6rem; margin-bottom: 0.2rem; }
h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.2rem 0.6rem; border-bottom: 1px solid #d8d8dc; vertical-align: top;
  overflow-wrap: anywhere; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code, .mono { font-family: ui-monospace, monospace; font-size: 0.9em; }
.columns { columns: 18rem 3; column-gap: 2rem; }
.columns div { display: flex; justify-content: space-between; border-bottom: 1px solid #d8d8dc;
  break-inside: avoid; font-variant-numeric: tabular-nums; }
.zero { color: #6b6b70; }
.ok { color: #006d43; font-weight: 600; }
.fail { color: #b3261e; font-weight: 600; }
.scroll { overflow-x: auto; }
details { border: 1px solid #d8d8dc; border-radius: 6px; padding: 0.5rem 1rem; }
svg { display: block; margin: 0.5rem 0; }
svg text { font-family: ui-monospace, monospace; font-size: 11px; fill: #1c1c1e; stroke: none; }
svg text.over { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; stroke-linejoin: round; }
svg line, svg polyline, svg rect { fill: none; stroke: #1c1c1e; stroke-width: 1; }
svg line.grid { stroke: #e4e4e8; }
svg line.lane { stroke: #b8b8be; stroke-dasharray: 3 3; }
svg rect.box { fill: #f2f2f5; stroke: #8a8a90; }
svg rect.bar { fill: #0072b2; stroke: none; }
svg .curve { stroke-width: 1.8; }
svg .curve.a { stroke: #0072b2; }
svg .curve.b { stroke: #008a63; stroke-dasharray: 7 3; }
svg .curve.c { stroke: #c24e00; stroke-dasharray: 2 2; }
svg .curve.d { stroke: #a8467f; stroke-dasharray: 9 3 2 3; }
svg line.good, svg rect.good { stroke: #006d43; }
svg line.bad, svg rect.bad { stroke: #b3261e; }
svg text.good, svg polygon.good, svg rect.good.head { fill: #006d43; }
svg text.bad, svg polygon.bad, svg rect.bad.head { fill: #b3261e; }
svg polygon.plain, svg rect.plain.head { fill: #1c1c1e; }
@media (prefers-color-scheme: dark) {
  body { background: #17171a; color: #e8e8ec; }
  th, td, .columns div, details { border-color: #3a3a40; }
  .zero { color: #98989f; }
  .ok { color: #5fd3a3; }
  .fail { color: #ff8a80; }
  svg text { fill: #e8e8ec; }
  svg text.over { stroke: #17171a; }
  svg line, svg polyline, svg rect { stroke: #e8e8ec; }
  svg line.grid { stroke: #303036; }
  svg line.lane { stroke: #5a5a62; }
  svg rect.box { fill: #26262b; stroke: #7d7d86; }
  svg rect.bar { fill: #56b4e9; }
  svg .curve.a { stroke: #56b4e9; }
  svg .curve.b { stroke: #3fd0a0; }
  svg .curve.c { stroke: #ff9a4d; }
  svg .curve.d { stroke: #e59cc4; }
  svg line.good, svg rect.good { stroke: #5fd3a3; }
  svg line.bad, svg rect.bad { stroke: #ff8a80; }
  svg text.good, svg polygon.good, svg rect.good.head { fill: #5fd3a3; }
  svg text.bad, svg polygon.bad, svg rect.bad.head { fill: #ff8a80; }
  svg polygon.plain, svg rect.plain.head { fill: #e8e8ec; }
}
@media print { .scroll { overflow: visible; } }
)css"};

} // namespace idem::sim
