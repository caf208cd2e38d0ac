// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/document.h"

namespace idem::sim {

namespace {

void write(const json::Value &value, QByteArray &out);

/// RFC 8259, section 7: a quotation mark, a backslash and the control characters must be escaped.
void write(const QString &text, QByteArray &out)
{
    out += '"';
    for (const char c : text.toUtf8()) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += "\\u" + QByteArray::number(static_cast<int>(c), 16).rightJustified(4, '0');
        } else {
            out += c;
        }
    }
    out += '"';
}

void write(const json::Array &array, QByteArray &out)
{
    out += '[';
    for (const json::Value &item : array) {
        out += &item == array.data() ? "" : ",";
        write(item, out);
    }
    out += ']';
}

void write(const json::Object &object, QByteArray &out)
{
    out += '{';
    for (const json::Member &member : object) {
        out += &member == object.data() ? "" : ",";
        write(member.name, out);
        out += ':';
        write(member.value, out);
    }
    out += '}';
}

void write(const json::Value &value, QByteArray &out)
{
    if (const auto *object = value.as<json::Object>()) {
        write(*object, out);
    } else if (const auto *array = value.as<json::Array>()) {
        write(*array, out);
    } else if (const auto *text = value.as<QString>()) {
        write(*text, out);
    } else if (const auto *number = value.as<json::Number>()) {
        out += number->text;
    } else if (const auto *truth = value.as<bool>()) {
        out += *truth ? "true" : "false";
    } else {
        out += "null";
    }
}

} // namespace

QByteArray toJson(const json::Value &value)
{
    QByteArray out;
    write(value, out);
    return out;
}

} // namespace idem::sim
