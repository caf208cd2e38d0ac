// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/history.h"

#include <algorithm>

namespace idem::sim {

History::History(Scenario scenario, Seed seed, RunOptions options, std::vector<Intervention> interventions)
    : m_scenario(std::move(scenario))
    , m_seed(seed)
    , m_options(std::move(options))
    , m_interventions(std::move(interventions))
{
    restart();
}

void History::restart()
{
    m_run = std::make_unique<Run>(m_scenario, m_seed, m_options);
    m_nextIntervention = 0;
    interveneAsBefore();
}

/// Repeats what was done at this moment.
void History::interveneAsBefore()
{
    while (
        m_nextIntervention < m_interventions.size() && m_interventions[m_nextIntervention].after == m_run->events()) {
        m_run->apply(m_interventions[m_nextIntervention++].action);
    }
}

bool History::stepForward()
{
    const bool done = m_run->step();
    interveneAsBefore();
    return done;
}

bool History::stepBack()
{
    if (position() == 0) {
        return false;
    }
    seek(position() - 1);
    return true;
}

void History::seek(std::uint64_t events, const std::function<bool()> &cancelled)
{
    if (events < position()) {
        restart();
    }
    constexpr std::uint64_t batch = 10'000;
    while (position() < events && !(cancelled && cancelled())) {
        std::uint64_t end = std::min(events, position() + batch);
        if (m_nextIntervention < m_interventions.size()) {
            end = std::min(end, m_interventions[m_nextIntervention].after);
        }
        if (m_run->run(end - position()) == 0) {
            return;
        }
        interveneAsBefore();
    }
}

void History::intervene(const OperatorAction &action)
{
    m_interventions.resize(m_nextIntervention);
    m_interventions.push_back({.after = position(), .action = action});
    ++m_nextIntervention;
    m_run->apply(action);
}

std::unique_ptr<History> History::branch() const
{
    std::vector<Intervention> past(
        m_interventions.begin(), m_interventions.begin() + static_cast<std::ptrdiff_t>(m_nextIntervention));
    auto copy = std::make_unique<History>(m_scenario, m_seed, m_options, std::move(past));
    copy->seek(position());
    return copy;
}

} // namespace idem::sim
