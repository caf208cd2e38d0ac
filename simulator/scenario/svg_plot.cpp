// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/svg_plot.h"

#include "simulator/scenario/svg.h"
#include "simulator/scenario/table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

constexpr double width = 820;
constexpr double height = 280;
constexpr double left = 90; ///< room for ten digits
constexpr double right = 50; ///< room for half a label
constexpr double top = 34; ///< room for the legend
constexpr double bottom = 46;

/// 1, 2 or 5 times a power of ten, so that `range` has at most `most` steps.
double niceStep(double range, int most)
{
    const double raw = range / most;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= raw) {
            return factor * power;
        }
    }
    return 10 * power;
}

struct Range
{
    double low = 0;
    double high = 1;
};

/// A value's place: x to the right, y up.
struct Frame
{
    Range x {};
    Range y {};
    [[nodiscard]] QPointF at(double px, double py) const
    {
        return {left + (px - x.low) / (x.high - x.low) * (width - left - right),
            height - bottom - (py - y.low) / (y.high - y.low) * (height - top - bottom)};
    }
};

struct Tick
{
    double at = 0;
    QString label {};
};

std::vector<Tick> linearTicks(Range range, int most)
{
    std::vector<Tick> ticks;
    const double step = niceStep(range.high - range.low, most);
    for (double i = std::ceil(range.low / step - 1e-9); i * step <= range.high + step * 1e-6; ++i) {
        ticks.push_back({.at = i * step, .label = QString::number(i * step, 'g', 6)});
    }
    return ticks;
}

void drawAxes(Svg &svg, const Frame &frame, const std::vector<Tick> &xTicks, const QString &xName)
{
    for (const Tick &tick : linearTicks(frame.y, 5)) {
        const QPointF start = frame.at(frame.x.low, tick.at);
        svg.line(start, frame.at(frame.x.high, tick.at), u"grid"_s);
        svg.text(start + QPointF(-8, 4), tick.label, Svg::Anchor::End, u"label"_s);
    }
    for (const Tick &tick : xTicks) {
        const QPointF foot = frame.at(tick.at, frame.y.low);
        svg.line(foot, foot + QPointF(0, 5), u"axis"_s);
        svg.text(foot + QPointF(0, 18), tick.label, Svg::Anchor::Middle, u"label"_s);
    }
    svg.line(frame.at(frame.x.low, frame.y.low), frame.at(frame.x.high, frame.y.low), u"axis"_s);
    svg.text({(left + width - right) / 2, height - 8}, xName, Svg::Anchor::Middle, u"label"_s);
}

struct Curve
{
    QLatin1StringView name;
    QLatin1StringView style;
    std::uint64_t (*count)(const Counts &);
};
constexpr std::array<Curve, 4> curves {{
    {"attempts"_L1, "curve a"_L1, [](const Counts &counts) { return counts.attempts; }},
    {"goodput (client_ok)"_L1, "curve b"_L1, [](const Counts &counts) { return counts.client_ok; }},
    {"executions"_L1, "curve c"_L1, [](const Counts &counts) { return counts.executions; }},
    {"conflicts + replays"_L1, "curve d"_L1, [](const Counts &counts) { return counts.conflicts + counts.replays; }},
}};

void drawLegend(Svg &svg)
{
    double x = left;
    for (const Curve &curve : curves) {
        svg.line({x, 14}, {x + 26, 14}, curve.style);
        svg.text({x + 32, 18}, curve.name, Svg::Anchor::Start, u"label"_s);
        x += 32 + Svg::widthOf(curve.name) + 24;
    }
}

/// Steps: a rate holds for its whole bin.
std::vector<QPointF> stepsOf(const std::vector<double> &rates, const Frame &frame, double binSeconds)
{
    std::vector<QPointF> points;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        const double start = static_cast<double>(i) * binSeconds;
        points.push_back(frame.at(start, rates[i]));
        points.push_back(frame.at(start + binSeconds, rates[i]));
    }
    return points;
}

/// Bars of a histogram: `edges` has one more than `counts`.
void drawBars(Svg &svg, const Frame &frame, const std::vector<double> &edges, const std::vector<double> &counts)
{
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > 0) {
            const QPointF corner = frame.at(edges[i], counts[i]);
            const QPointF foot = frame.at(edges[i + 1], 0);
            const double high = std::max(foot.y() - corner.y(), 1.0); // a single operation can be seen, too
            svg.rectangle({corner.x(), foot.y() - high}, std::max(foot.x() - corner.x() - 1, 1.0), high, u"bar"_s);
        }
    }
}

double milliseconds(Duration span)
{
    return std::chrono::duration<double, std::milli>(span).count();
}

} // namespace

void plotRates(QXmlStreamWriter &xml, const Run &run)
{
    const Duration end = run.elapsed();
    if (end <= Duration::zero()) {
        return;
    }
    constexpr std::int64_t most = 400; // about two pixels each
    const Duration step = run.series().step();
    const std::int64_t steps = (end + step - Duration(1)) / step;
    const Duration bin = step * ((steps + most - 1) / most);
    const std::int64_t bins = (end + bin - Duration(1)) / bin;
    const Counts latest = run.counts();
    const double binSeconds = std::chrono::duration<double>(bin).count();
    std::array<std::vector<double>, curves.size()> rates;
    double highest = 1;
    Counts before {};
    for (std::int64_t i = 1; i <= bins; ++i) {
        const Counts &now = i == bins ? latest : run.series().before(bin * i, latest);
        for (std::size_t k = 0; k < curves.size(); ++k) {
            const auto gain = static_cast<double>(curves[k].count(now) - curves[k].count(before));
            rates[k].push_back(gain / binSeconds);
            highest = std::max(highest, rates[k].back());
        }
        before = now;
    }
    const Frame frame {
        .x = {.low = 0, .high = static_cast<double>(bins) * binSeconds}, .y = {.low = 0, .high = highest * 1.05}};
    Svg svg(xml, width, height, u"Attempts, goodput, executions, conflicts and replays a second"_s);
    drawAxes(svg, frame, linearTicks(frame.x, 8), u"s of virtual time"_s);
    drawLegend(svg);
    for (std::size_t k = 0; k < curves.size(); ++k) {
        svg.polyline(stepsOf(rates[k], frame, binSeconds), curves[k].style);
    }
}

void plotLatencies(QXmlStreamWriter &xml, const Histogram &latencies)
{
    if (latencies.count() == 0) {
        return;
    }
    const double least = std::max(milliseconds(latencies.min()), 0.001);
    const double most = std::max(milliseconds(latencies.max()), least);
    const bool isLogarithmic = most > 20 * least;
    const auto scaled = [&](double ms) { return isLogarithmic ? std::log10(std::max(ms, 0.001)) : ms; };
    Range range {.low = scaled(least), .high = scaled(most)};
    if (isLogarithmic) {
        range = {.low = std::floor(range.low), .high = std::ceil(range.high + 1e-9)};
    } else {
        const double step = niceStep(std::max(most - least, most * 0.1), 8);
        range = {.low = std::floor(least / step) * step, .high = (std::floor(most / step) + 1) * step};
    }
    const int bins = isLogarithmic ? static_cast<int>(std::lround(range.high - range.low)) * 10 : 60;
    std::vector<double> counts(static_cast<std::size_t>(bins));
    std::vector<double> edges;
    for (int i = 0; i <= bins; ++i) {
        edges.push_back(range.low + (range.high - range.low) * i / bins);
    }
    for (const Histogram::Bucket &bucket : latencies.buckets()) {
        const double place = (scaled(milliseconds(bucket.highest)) - range.low) / (range.high - range.low);
        const int bin = std::clamp(static_cast<int>(std::floor(place * bins)), 0, bins - 1);
        counts[static_cast<std::size_t>(bin)] += static_cast<double>(bucket.count);
    }
    std::vector<Tick> ticks;
    if (isLogarithmic) {
        for (double decade = range.low; decade <= range.high; ++decade) {
            ticks.push_back({.at = decade, .label = numberText(std::pow(10, decade))});
        }
    } else {
        ticks = linearTicks(range, 8);
    }
    const Frame frame {.x = range, .y = {.low = 0, .high = *std::max_element(counts.begin(), counts.end()) * 1.05}};
    Svg svg(xml, width, height, u"Distribution of latencies"_s);
    drawAxes(svg, frame, ticks, isLogarithmic ? u"latency in ms, logarithmic"_s : u"latency in ms"_s);
    svg.text({left, 18}, u"successful operations"_s, Svg::Anchor::Start, u"label"_s);
    drawBars(svg, frame, edges, counts);
}

} // namespace idem::sim
