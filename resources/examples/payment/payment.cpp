// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A payment handler on an idempotency-key store: however often a client sends an order, it is charged once.
#include <core/store/memory_store.h>

#include <iostream>

static int charges = 0;

// Stands for the call to the bank, which must not happen twice.
static idem::Response charge()
{
    return {.status = 201, .body = "charge " + QByteArray::number(++charges)};
}

static idem::Response pay(idem::Store &store, const QByteArray &order)
{
    idem::Outcome outcome = store.begin({.tenant = "acme", .key = order});
    if (auto *fresh = std::get_if<idem::Fresh>(&outcome)) {
        // From here on, to leave without an answer makes the outcome unknown, not free: nobody charges on a guess.
        if (!fresh->claim.sideEffectStarted())
            return {.status = 503, .body = "try again"};
        idem::Response answer = charge();
        if (!fresh->claim.complete(answer))
            std::cerr << order.toStdString() << ": charged, but the answer was not stored\n";
        return answer;
    }
    if (const auto *replay = std::get_if<idem::Replay>(&outcome))
        return replay->response->toResponse();
    return {.status = 409, .body = toString(kindOf(outcome)).toUtf8()}; // in progress, unknown ...
}

int main()
{
    idem::MemoryStore store;
    for (const char *order : {"order-1", "order-1", "order-2"}) // the first is sent twice
        std::cout << order << ": " << pay(store, order).body->toStdString() << '\n';
    std::cout << "3 requests, " << charges << " charges\n";
}
