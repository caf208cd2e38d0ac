// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMutex>

namespace idem::memory {

class Section;
class Peek;

/// A value and the lock that guards it. Only a Section or a Peek, which holds the lock for as long as it lives, can
/// name the value: that nothing is touched without its lock is checked by the compiler.
template <typename T> class alignas(128) Guarded
{
    friend class Section;
    friend class Peek;

    QMutex m_mutex;
    T m_value;
};

} // namespace idem::memory
