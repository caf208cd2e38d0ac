// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/validate/gates.h"

#include <array>

namespace idem::sim {

std::span<const Gate> gates()
{
    using Text = QLatin1StringView;
    static constexpr std::array all {
        Gate {Text("aws"), Text("AWS, \"Exponential Backoff And Jitter\": 5 algorithms, 10...190 clients"), runAwsGate},
        Gate {Text("queues"), Text("M/M/1, M/D/1, M/M/c, M/M/1/K, Little's law, M/G/infinity"), runQueuesGate},
        Gate {Text("probability"), Text("attempts, layered retries, impatient clients, birthdays"), runProbabilityGate},
        Gate {Text("randomness"), Text("the generator and its transforms: chi squared, Kolmogorov and Smirnov"),
            runRandomnessGate},
        Gate {Text("omission"), Text("coordinated omission: Tene's example"), runOmissionGate},
        Gate {Text("delays"), Text("the vendors' waits before retries: means, medians, closed forms"), runDelaysGate},
        Gate {Text("budgets"), Text("what quotas, budgets and throttles let through"), runBudgetsGate},
        Gate {Text("retry-sweep"), Text("Brooker: 9 failure rates, 4 retry strategies"), runRetrySweepGate},
        Gate {Text("collapse"), Text("Brooker: a server that slows down under load, with and without backoff"),
            runCollapseGate},
        Gate {Text("metastability"), Text("retry storms that outlive their cause, and what ends them"),
            runMetastabilityGate},
        Gate {Text("presets"), Text("every preset's expectations, and its invariants"), runPresetsGate},
    };
    return all;
}

} // namespace idem::sim
