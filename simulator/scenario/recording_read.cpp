// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/document.h"
#include "simulator/scenario/file.h"
#include "simulator/scenario/named_json.h"
#include "simulator/scenario/recording.h"

#include <algorithm>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

/// Reads the lines of a recording one after the other; keeps the first error.
class LineReader
{
public:
    LineReader(const QByteArray &text, QString file)
        : m_lines(text.split('\n'))
        , m_file(std::move(file))
    {
        // The last line ends as all others do.
        if (m_lines.constLast().isEmpty()) {
            m_lines.removeLast();
        } else {
            m_cutOff = true;
        }
    }

    tl::expected<Recording, ScenarioError> read();

private:
    bool readHead(Recording &recording);
    bool readIntervention(const json::Value &root, Recording &recording);
    bool readAction(const json::Value &root, OperatorAction &action);
    bool readEnd(const json::Value &root, RunOutcome &outcome);

    std::optional<json::Value> parseLine()
    {
        auto value = json::parse(m_lines[m_line]);
        if (value) {
            return std::move(*value);
        }
        fail({}, value.error().problem, value.error().at.column);
        return std::nullopt;
    }
    bool fail(const QString &member, const QString &problem, int column = 1)
    {
        if (!m_error) {
            m_error = ScenarioError {.file = m_file,
                .line = static_cast<int>(m_line) + 1,
                .column = column,
                .member = member,
                .problem = problem};
        }
        return false;
    }
    /// The member `name` of `object` as a T.
    template <typename T> bool read(const json::Value &object, const QString &name, T &target)
    {
        const json::Member *member = object.member(name);
        if (member == nullptr) {
            return fail(name, u"is missing"_s);
        }
        if (const T *value = member->value.as<T>()) {
            target = *value;
            return true;
        }
        return fail(name, u"is of the wrong type"_s, member->value.at.column);
    }
    bool readWhole(const json::Value &object, const QString &name, std::uint64_t &target)
    {
        json::Number number;
        if (!read(object, name, number)) {
            return false;
        }
        bool isWhole = false;
        target = number.text.toULongLong(&isWhole);
        return isWhole || fail(name, u"must be a whole number, 0 or more"_s, object.member(name)->value.at.column);
    }

    QList<QByteArray> m_lines;
    QString m_file;
    qsizetype m_line = 0;
    bool m_cutOff = false;
    std::optional<ScenarioError> m_error {};
};

bool LineReader::readHead(Recording &recording)
{
    const std::optional<json::Value> root = parseLine();
    if (!root) {
        return false;
    }
    if (!root->member(u"idemscope_recording"_s)) {
        return fail({}, u"is not the first line of a recording, which has the member idemscope_recording"_s);
    }
    std::uint64_t format = 0;
    std::uint64_t seed = 0;
    if (!readWhole(*root, u"idemscope_recording"_s, format)) {
        return false;
    }
    if (format != 1) {
        return fail(u"idemscope_recording"_s, u"is %1: this program reads recordings of format 1 only"_s.arg(format));
    }
    if (!read(*root, u"version"_s, recording.version) || !readWhole(*root, u"seed"_s, seed)) {
        return false;
    }
    if (seed > maxSeed) {
        return fail(u"seed"_s, u"is larger than %1"_s.arg(maxSeed));
    }
    recording.seed = Seed {seed};
    const json::Member *document = root->member(u"scenario"_s);
    if (!document) {
        return fail(u"scenario"_s, u"is missing"_s);
    }
    auto scenario = parseScenario(toJson(document->value));
    if (!scenario) {
        const QStringList path {u"scenario"_s, scenario.error().member};
        return fail(scenario.error().member.isEmpty() ? path.first() : path.join(u'.'), scenario.error().problem,
            document->value.at.column + scenario.error().column - 1);
    }
    recording.scenario = std::move(*scenario);
    return true;
}

bool LineReader::readAction(const json::Value &root, OperatorAction &action)
{
    QString verb;
    QString filter;
    if (!read(root, u"action"_s, verb) || !read(root, u"filter"_s, filter) || !read(root, u"reason"_s, action.reason)) {
        return false;
    }
    const auto select = Filter::parse(filter);
    if (!select) {
        return fail(u"filter"_s, select.error().message, root.member(u"filter"_s)->value.at.column);
    }
    action.select = *select;
    if (verb == "abandon"_L1) {
        QString as;
        action.verb = OperatorAction::Verb::Abandon;
        if (!read(root, u"as"_s, as) || !read(root, u"override_live"_s, action.overrideLive)) {
            return false;
        }
        action.abandonAs = as == "failed"_L1 ? AbandonAs::Failed
            : as == "unknown"_L1             ? AbandonAs::Unknown
                                             : AbandonAs::Release;
        return action.abandonAs != AbandonAs::Release || as == "release"_L1
            || fail(u"as"_s, u"must be release, failed or unknown"_s, root.member(u"as"_s)->value.at.column);
    }
    if (verb == "settle"_L1) {
        action.verb = OperatorAction::Verb::Settle;
        return read(root, u"executed"_s, action.settleExecuted);
    }
    action.verb = OperatorAction::Verb::Purge;
    return verb == "purge"_L1
        || fail(u"action"_s, u"must be abandon, settle or purge"_s, root.member(u"action"_s)->value.at.column);
}

bool LineReader::readIntervention(const json::Value &root, Recording &recording)
{
    History::Intervention intervention;
    if (!readWhole(root, u"after"_s, intervention.after)
        || !readAction(root.member(u"intervention"_s)->value, intervention.action)) {
        return false;
    }
    if (!recording.interventions.empty() && recording.interventions.back().after > intervention.after) {
        return fail(u"after"_s, u"is before the intervention of the line above"_s);
    }
    recording.interventions.push_back(std::move(intervention));
    return true;
}

bool LineReader::readEnd(const json::Value &root, RunOutcome &outcome)
{
    QString hash;
    if (!read(root, u"trace_hash"_s, hash) || !readWhole(root, u"events"_s, outcome.events)
        || !read(root, u"complete"_s, outcome.complete)) {
        return false;
    }
    bool isHash = false;
    outcome.traceHash = hash.toULongLong(&isHash, 16);
    if (!isHash || hash.size() != 16) {
        return fail(u"trace_hash"_s, u"must have 16 hexadecimal digits"_s);
    }
    const json::Member *counts = root.member(u"counts"_s);
    if (!counts) {
        return fail(u"counts"_s, u"is missing"_s);
    }
    // Another version may know fewer; the trace says whether the run was the same.
    return std::ranges::all_of(Counts::entries(), [&](const Counts::Entry &entry) {
        const QString name = nameOf(entry.name);
        return !counts->value.member(name) || readWhole(counts->value, name, outcome.counts.*entry.member);
    });
}

tl::expected<Recording, ScenarioError> LineReader::read()
{
    Recording recording;
    if (m_lines.isEmpty()) {
        return tl::unexpected(ScenarioError {.file = m_file, .problem = u"is empty"_s});
    }
    bool ended = false;
    bool good = readHead(recording);
    for (m_line = 1; good && m_line < m_lines.size(); ++m_line) {
        const std::optional<json::Value> root = parseLine();
        if (!root) {
            good = false;
        } else if (ended) {
            good = fail({}, u"stands behind the recording's end"_s);
        } else if (root->member(u"intervention"_s)) {
            good = readIntervention(*root, recording);
        } else if (root->member(u"trace_hash"_s)) {
            good = ended = readEnd(*root, recording.outcome);
        } else {
            good = fail({}, u"is neither an intervention nor the recording's end"_s);
        }
    }
    if (good && (!ended || m_cutOff)) {
        m_line = m_lines.size() - 1;
        good = fail({}, u"is the last line, but not the recording's end: the file was cut off"_s);
    }
    if (m_error) {
        return tl::unexpected(*m_error);
    }
    return recording;
}

} // namespace

tl::expected<Recording, ScenarioError> parseRecording(const QByteArray &text, const QString &file)
{
    return LineReader(text, file).read();
}

tl::expected<Recording, ScenarioError> loadRecording(const QString &path)
{
    const tl::expected<QByteArray, QString> text = readFile(path, maxRecordingBytes);
    if (!text) {
        return tl::unexpected(ScenarioError {.file = path, .problem = text.error()});
    }
    return parseRecording(*text, path);
}

} // namespace idem::sim
