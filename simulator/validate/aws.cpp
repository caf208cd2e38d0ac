// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
//
// AWS's "Exponential Backoff And Jitter" against its table, resources/published/aws-backoff.csv.
#include "simulator/validate/aws_model.h"
#include "simulator/validate/gates.h"

#include <QFile>

#include <array>
#include <cmath>

/// A static library's resources are linked only where this is called; the macro needs the global namespace.
static void initResources()
{
    Q_INIT_RESOURCE(published);
}

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

constexpr std::uint32_t gateNumber = 1; // of partSeed()
constexpr double referenceRuns = 1200;
constexpr int fullRuns = 100;
constexpr int reducedRuns = 25;
constexpr int clientStep = 10;
constexpr int clientCounts = 19; // 10, 20 ... 190

enum Algorithm : std::uint8_t { None, Exponential, EqualJitter, FullJitter, Decorrelated, algorithms };
enum Metric : std::uint8_t { Time, Calls, metrics };
constexpr std::array algorithmNames {"None"_L1, "Exponential"_L1, "EqualJitter"_L1, "FullJitter"_L1, "Decorr"_L1};
constexpr std::array metricNames {"time, ms"_L1, "calls"_L1};

struct Moments
{
    double mean = 0;
    double sd = 0; ///< of one run
};

/// One cell of the table: what one algorithm does with one number of clients.
struct Cell
{
    std::array<Moments, metrics> moments {};
    int inconsistent = 0; ///< runs that broke a law of the model
};
using Table = std::array<Cell, std::size_t {algorithms} * clientCounts>;

std::size_t indexOf(int algorithm, int clients)
{
    return static_cast<std::size_t>(algorithm * clientCounts + clients / clientStep - 1);
}

Table referenceTable()
{
    initResources();
    QFile file(u":/published/aws-backoff.csv"_s);
    Table table;
    table.fill({.moments = {Moments {std::nan(""), 0}, Moments {std::nan(""), 0}}}); // a missing cell must fail
    const QString text = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    for (const QString &line : text.split(u'\n')) {
        // algorithm, clients, runs, time's mean and sd, calls' mean and sd
        const QStringList fields = line.split(u',');
        for (int algorithm = 0; algorithm < algorithms && fields.size() == 7; ++algorithm) {
            if (fields[0] == algorithmNames[static_cast<std::size_t>(algorithm)]) {
                table[indexOf(algorithm, fields[1].toInt())].moments = {
                    Moments {fields[3].toDouble(), fields[4].toDouble()},
                    Moments {fields[5].toDouble(), fields[6].toDouble()}};
            }
        }
    }
    return table;
}

RetryPolicy policyOf(int algorithm)
{
    constexpr std::array kinds {RetryAlgorithm::None, RetryAlgorithm::Exponential, RetryAlgorithm::EqualJitter,
        RetryAlgorithm::FullJitter, RetryAlgorithm::DecorrelatedJitter};
    // The original counts the attempt before it asks for the wait: the first is 2 * base.
    return {.algorithm = kinds[static_cast<std::size_t>(algorithm)],
        .base = std::chrono::milliseconds(5),
        .cap = std::chrono::milliseconds(2000),
        .firstExponent = 1};
}

/// Mean and standard deviation of numbers that come one by one (Welford, 1962).
class Sample
{
public:
    void add(double value)
    {
        ++m_count;
        const double before = value - m_mean;
        m_mean += before / m_count;
        m_squares += before * (value - m_mean);
    }
    [[nodiscard]] Moments moments() const { return {m_mean, std::sqrt(m_squares / (m_count - 1))}; }

private:
    int m_count = 0;
    double m_mean = 0;
    double m_squares = 0;
};

Cell measure(const GateOptions &options, std::size_t index, int runs)
{
    const auto algorithm = static_cast<int>(index) / clientCounts;
    const auto clients = static_cast<std::uint32_t>((index % clientCounts + 1) * clientStep);
    AwsModel model;
    Sample time;
    Sample calls;
    Cell cell;
    for (int run = 0; run < runs; ++run) {
        const auto outcome = model.run({.policy = policyOf(algorithm),
            .clients = clients,
            .seed = partSeed(options, gateNumber, index * fullRuns + static_cast<std::size_t>(run))});
        time.add(std::chrono::duration<double, std::milli>(outcome.time).count());
        calls.add(static_cast<double>(outcome.calls));
        cell.inconsistent += outcome.isConsistent(clients) ? 0 : 1;
    }
    cell.moments = {time.moments(), calls.moments()};
    return cell;
}

/// The standard error of a difference of means over `runs` and the reference's runs, for a deviation of 1.
double errorOf(int runs)
{
    return std::sqrt(1.0 / runs + 1 / referenceRuns);
}

/// Means within 4.5 standard errors: of 190 such rows one in 770 tables fails by chance. Deviations within 35 % at 100
/// runs, about 4.5 of their own standard errors, and as much wider with fewer runs.
std::vector<GateResult> compare(const Cell &reference, const Cell &measured, std::size_t index, int runs)
{
    constexpr double errors = 4.5;
    constexpr double sdShare = 0.35;
    const auto algorithm = algorithmNames[index / clientCounts];
    const auto clients = (index % clientCounts + 1) * clientStep;
    std::vector<GateResult> rows;
    for (std::size_t metric = 0; metric < metrics; ++metric) {
        const auto &[mean, sd] = reference.moments[metric];
        const QString name = u"%1, %2 clients: %3"_s.arg(algorithm).arg(clients).arg(metricNames[metric]);
        const double sigma = sd * errorOf(runs);
        GateResult row {.gate = u"aws"_s,
            .name = name,
            .expected = mean,
            .measured = measured.moments[metric].mean,
            .tolerance = errors * sigma,
            .source = u"AWS backoff simulator, 1200 runs"_s,
            .group = algorithm};
        rows.push_back(judged(row, sigma));
        row.name = name + u", standard deviation"_s;
        row.expected = sd;
        row.measured = measured.moments[metric].sd;
        row.tolerance = sdShare * sd * errorOf(runs) / errorOf(fullRuns);
        rows.push_back(judged(row, row.tolerance / errors));
    }
    return rows;
}

/// A sentence about the shape of the curves: over a range of client counts the sum of `more` exceeds `weight` times the
/// sum of `less`.
struct Claim
{
    QLatin1StringView text;
    Metric metric;
    Algorithm more;
    Algorithm less;
    int first; ///< clients
    int last;
    double weight = 1;
};

constexpr std::array blogClaims {
    Claim {"exponential takes longer than none"_L1, Time, Exponential, None, 20, 190},
    Claim {"exponential takes longer than equal jitter"_L1, Time, Exponential, EqualJitter, 20, 190},
    Claim {"exponential takes longer than full jitter"_L1, Time, Exponential, FullJitter, 20, 190},
    Claim {"exponential takes longer than decorrelated"_L1, Time, Exponential, Decorrelated, 20, 190},
    Claim {"exponential calls more than equal jitter"_L1, Calls, Exponential, EqualJitter, 20, 190},
    Claim {"exponential calls more than full jitter"_L1, Calls, Exponential, FullJitter, 20, 190},
    Claim {"exponential calls more than decorrelated"_L1, Calls, Exponential, Decorrelated, 20, 190},
    Claim {"full jitter halves exponential's calls"_L1, Calls, Exponential, FullJitter, 100, 100, 2},
    Claim {"full jitter halves the calls without backoff"_L1, Calls, None, FullJitter, 100, 100, 2},
    Claim {"equal jitter calls more than full"_L1, Calls, EqualJitter, FullJitter, 100, 100},
    Claim {"equal jitter takes longer than full"_L1, Time, EqualJitter, FullJitter, 100, 100},
    Claim {"decorrelated calls more than full jitter"_L1, Calls, Decorrelated, FullJitter, 100, 100},
    Claim {"full jitter takes longer than decorrelated"_L1, Time, FullJitter, Decorrelated, 60, 110},
};
constexpr std::array otherClaims {
    Claim {"with many clients equal jitter calls less than full"_L1, Calls, FullJitter, EqualJitter, 180, 190},
    Claim {"with many clients decorrelated takes longer than full"_L1, Time, Decorrelated, FullJitter, 160, 190},
    Claim {"equal jitter takes longer than none"_L1, Time, EqualJitter, None, 10, 190},
    Claim {"full jitter takes longer than none"_L1, Time, FullJitter, None, 10, 190},
    Claim {"decorrelated takes longer than none"_L1, Time, Decorrelated, None, 10, 190},
};

/// The difference that a claim says is positive: expected as in the table, and ok while it keeps its sign.
GateResult judge(const Claim &claim, const Table &reference, const Table &measured, int runs, const QString &source)
{
    const QString clientsText =
        claim.first == claim.last ? QString::number(claim.first) : u"%1...%2"_s.arg(claim.first).arg(claim.last);
    GateResult row {.gate = u"aws"_s,
        .name = u"%1, %2 clients: %3 apart"_s.arg(claim.text, clientsText, metricNames[claim.metric]),
        .source = source};
    double variance = 0;
    for (int clients = claim.first; clients <= claim.last; clients += clientStep) {
        const auto more = indexOf(claim.more, clients);
        const auto less = indexOf(claim.less, clients);
        const auto &[moreMean, moreSd] = reference[more].moments[claim.metric];
        const auto &[lessMean, lessSd] = reference[less].moments[claim.metric];
        row.expected += moreMean - claim.weight * lessMean;
        row.measured +=
            measured[more].moments[claim.metric].mean - claim.weight * measured[less].moments[claim.metric].mean;
        variance += moreSd * moreSd + claim.weight * claim.weight * lessSd * lessSd;
    }
    row.tolerance = row.expected;
    return judged(row, std::sqrt(variance) * errorOf(runs));
}

GateResult consistencyRow(const Table &measured)
{
    GateResult row {.gate = u"aws"_s,
        .name = u"runs that break version = clients, calls = clients + failures, or the order of time"_s,
        .source = u"law of the model"_s};
    for (const Cell &cell : measured) {
        row.measured += cell.inconsistent;
    }
    return judged(row);
}

} // namespace

std::vector<GateResult> runAwsGate(const GateOptions &options)
{
    const int runs = options.reduced ? reducedRuns : fullRuns;
    const Table reference = referenceTable();
    Table measured;
    auto rows = runCells(options, measured.size(), [&](std::size_t index) {
        measured[index] = measure(options, index, runs);
        return compare(reference[index], measured[index], index, runs);
    });
    const std::size_t rowsOfCell = std::size_t {2} * metrics;
    if (rows.size() < measured.size() * rowsOfCell) {
        return rows; // cancelled: no claim about the whole
    }
    rows.push_back(consistencyRow(measured));
    for (const Claim &claim : blogClaims) {
        rows.push_back(judge(claim, reference, measured, runs, u"AWS blog of 2015"_s));
    }
    for (const Claim &claim : otherClaims) {
        rows.push_back(judge(claim, reference, measured, runs, u"the published simulator; not in the blog"_s));
    }
    return rows;
}

} // namespace idem::sim
