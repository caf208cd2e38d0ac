// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/http/fingerprint.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace idem::test {

inline RequestHead head(QByteArrayView mediaType, QByteArrayView query = {})
{
    return {.method = "POST", .route = "/payments", .query = query, .mediaType = mediaType};
}

/// Of rules that are expected to hold.
inline FingerprintRules rules(const FingerprintOptions &options)
{
    auto result = FingerprintRules::from(options);
    EXPECT_TRUE(result.has_value()) << result.error().toStdString();
    return result.value_or(FingerprintRules());
}

/// Of a JSON body that is expected to be one.
inline QByteArray ofJson(QByteArrayView body, const FingerprintRules &options = {})
{
    const Fingerprint result = fingerprintOf(options, head("application/json"), body);
    EXPECT_FALSE(result.fellBack) << result.why.toStdString();
    return result.text;
}

/// All differ from one another.
inline void expectDistinct(const std::vector<QByteArray> &texts)
{
    for (std::size_t i = 0; i < texts.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            EXPECT_NE(texts[i], texts[k]) << "numbers " << k << " and " << i;
        }
    }
}

} // namespace idem::test
