// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/scenario/node.h"
#include "simulator/scenario/reader.h"

namespace idem::sim {

/// Reads a document that obeys the schema into a scenario; keeps the first place in the text that contradicts another.
class Reader
{
public:
    explicit Reader(const Document &document)
        : m_document(document)
    {
    }

    tl::expected<Scenario, ScenarioError> read();

private:
    void readHead(const Node &root);
    void readStore(const Node &node);
    void readClients(const Node &node);
    void readArrival(const Node &node);
    void readRetry(const Node &node);
    void readBudget(const Node &node);
    void readServer(const Node &node);
    void readDistribution(const Node &node, Distribution &target);
    void readFaults(const Node &node);
    void readChance(const Node &item, Fault &fault);
    void checkFault(const Node &item, const Fault &fault);
    void readOperator(const Node &node);
    void readSelection(const Node &item, Filter &select);
    void readExpected(const Node &node);
    void checkWindow(const Node &item, const Expected &expected);

    /// Keeps the error that stands first in the text.
    void fail(const Node &node, const QString &problem)
    {
        const json::Position at = m_document.positionOf(node.path());
        if (!m_error || at < m_errorAt) {
            m_error = m_document.error(node.path(), at, problem);
            m_errorAt = at;
        }
    }

    const Document &m_document;
    Scenario m_scenario {};
    std::optional<ScenarioError> m_error {};
    json::Position m_errorAt {};
};

} // namespace idem::sim
