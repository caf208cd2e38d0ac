// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/sip_hash.h"

#include <QRandomGenerator>

namespace idem::memory {

SipKey SipKey::random()
{
    return {QRandomGenerator::system()->generate64(), QRandomGenerator::system()->generate64()};
}

} // namespace idem::memory
