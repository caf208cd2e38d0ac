// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/tidy/source_checks.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tidy;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::string read(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Every source, build and script file of the project.
const std::vector<Source> &tree()
{
    static const std::vector<Source> sources = [] {
        std::vector<Source> found;
        const std::filesystem::path root(IDEM_SOURCE_DIR);
        const auto take = [&](const std::filesystem::path &path) {
            const auto extension = path.extension();
            if (extension == ".cpp" || extension == ".h" || extension == ".cmake" || extension == ".sh"
                || path.filename() == "CMakeLists.txt")
                found.push_back({std::filesystem::relative(path, root).generic_string(), read(path)});
        };
        for (const auto &entry : std::filesystem::directory_iterator(root)) {
            if (entry.is_regular_file())
                take(entry.path());
        }
        for (const char *folder : {"app", "cmake", "core", "resources", "simulator", "tests"}) {
            for (const auto &entry : std::filesystem::recursive_directory_iterator(root / folder)) {
                if (entry.is_regular_file())
                    take(entry.path());
            }
        }
        return found;
    }();
    return sources;
}

bool isCpp(const Source &source)
{
    return source.path.ends_with(".cpp") || source.path.ends_with(".h");
}

template <typename Check> Findings overTree(const Check &check)
{
    Findings all;
    for (const auto &source : tree()) {
        for (auto &finding : check(source))
            all.push_back(std::move(finding));
    }
    return all;
}

Layers layersOfTree()
{
    return parseLayers(read(std::filesystem::path(IDEM_SOURCE_DIR) / "cmake/IdemTargets.cmake"));
}

std::string functionOf(int lines)
{
    std::string text = "int f(int a)\n{\n";
    for (int i = 0; i < lines - 2; ++i)
        text += "    ++a;\n";
    return text + "}\n";
}

} // namespace

// The tree keeps the rules.

TEST(Tree, IsSeen)
{
    EXPECT_GT(tree().size(), 30u);
}

TEST(Tree, HasNoStrayWhitespace)
{
    EXPECT_THAT(overTree(checkWhitespace), IsEmpty());
}

TEST(Tree, NamesItsLicences)
{
    EXPECT_THAT(overTree(checkLicence), IsEmpty());
}

TEST(Tree, HasShortFiles)
{
    EXPECT_THAT(overTree(checkFileLength), IsEmpty());
}

TEST(Tree, HasShortFunctions)
{
    EXPECT_THAT(overTree([](const Source &s) { return isCpp(s) ? checkFunctionLength(s) : Findings{}; }), IsEmpty());
}

TEST(Tree, IncludesDownwardsOnly)
{
    const auto layers = layersOfTree();
    EXPECT_THAT(overTree([&](const Source &s) { return isCpp(s) ? checkIncludes(s, layers) : Findings{}; }), IsEmpty());
}

TEST(Tree, TakesTimeAndChanceFromTheirOwners)
{
    EXPECT_THAT(overTree(checkDeterminism), IsEmpty());
}

TEST(Tree, IsFinished)
{
    EXPECT_THAT(overTree(checkUnfinished), IsEmpty());
}

// The checks find what they look for.

TEST(Checks, FindTabsTrailingSpacesAndLongLines)
{
    EXPECT_THAT(checkWhitespace({"a.h", "\tx\n"}), ElementsAre("a.h:1: tab"));
    EXPECT_THAT(checkWhitespace({"a.h", "x \n"}), ElementsAre(HasSubstr("end of the line")));
    EXPECT_THAT(checkWhitespace({"a.h", std::string(121, 'x') + "\n"}), ElementsAre(HasSubstr("120 columns")));
    EXPECT_THAT(checkWhitespace({"a.h", "x"}), ElementsAre(HasSubstr("no newline")));
    EXPECT_THAT(checkWhitespace({"a.h", std::string(120, 'x') + "\n"}), IsEmpty());
}

TEST(Checks, FindTheWrongLicence)
{
    const std::string head = "// SPDX-FileCopyrightText: 2026 X\n// SPDX-License-Identifier: Apache-2.0\n";
    EXPECT_THAT(checkLicence({"core/a.h", head}), IsEmpty());
    EXPECT_THAT(checkLicence({"app/a.h", head}), ElementsAre(HasSubstr("GPL-3.0-or-later")));
    EXPECT_EQ(checkLicence({"core/a.h", "int x;\n"}).size(), 2u);
}

TEST(Checks, CountLines)
{
    std::string text;
    for (int i = 0; i < 400; ++i)
        text += "\n";
    EXPECT_THAT(checkFileLength({"a.h", text}), IsEmpty());
    EXPECT_THAT(checkFileLength({"a.h", text + "\n"}), ElementsAre(HasSubstr("401 lines")));
}

TEST(Checks, MeasureFunctionsAndLambdasOnly)
{
    EXPECT_THAT(checkFunctionLength({"a.cpp", functionOf(70)}), IsEmpty());
    EXPECT_THAT(checkFunctionLength({"a.cpp", functionOf(71)}), ElementsAre(HasSubstr("71 lines")));
    EXPECT_THAT(checkFunctionLength({"a.cpp", "namespace n {\n" + functionOf(70) + "}\n"}), IsEmpty());
    EXPECT_THAT(checkFunctionLength({"a.cpp", "struct S\n{\n" + functionOf(69) + "int a;\nint b;\n};\n"}), IsEmpty());
    std::string lambda = "auto x = [&] {\n";
    for (int i = 0; i < 70; ++i)
        lambda += "    call();\n";
    EXPECT_THAT(checkFunctionLength({"a.cpp", lambda + "};\n"}), ElementsAre(HasSubstr("72 lines")));
}

TEST(Checks, SeeMethodsWithQualifiersAndInitialisers)
{
    for (const std::string head :
        {"int S::f() const", "S::S()\n    : a(1)\n    , b(2)", "auto f() -> int", "void f() noexcept"})
        EXPECT_EQ(checkFunctionLength({"a.cpp", head + functionOf(71).substr(12)}).size(), 1u) << head;
}

TEST(Checks, IgnoreBracesInTextAndComments)
{
    EXPECT_EQ(codeOnly("a \"{\" b // {\nc '{' /* { */ d R\"x({)x\" 1'000\n").find('{'), std::string::npos);
    EXPECT_EQ(codeOnly("a(1'000) { '\\'' }").find('{'), 9u);
    EXPECT_EQ(codeOnly("f(u'{', L'}', u8'{', 0xA'B) { }").find('{'), 28u);
}

TEST(Checks, RefuseUpwardIncludes)
{
    const Layers layers = parseLayers(R"("00:core/store" "10:core/http" "30:simulator/engine" "90:tests")");
    ASSERT_EQ(layers.size(), 4u);
    EXPECT_THAT(checkIncludes({"core/http/a.h", "#include \"core/store/b.h\"\n"}, layers), IsEmpty());
    EXPECT_THAT(checkIncludes({"core/http/a.h", "#include \"core/http/b.h\"\n"}, layers), IsEmpty());
    EXPECT_THAT(checkIncludes({"core/store/memory/a.h", "#include \"core/store/b.h\"\n"}, layers), IsEmpty());
    EXPECT_THAT(checkIncludes({"tests/core/a.h", "#include \"tests/support/b.h\"\n"}, layers), IsEmpty());
    EXPECT_EQ(checkIncludes({"core/store/memory/a.h", "#include \"core/http/b.h\"\n"}, layers).size(), 1u);
    EXPECT_EQ(checkIncludes({"core/store/a.h", "#include \"core/http/b.h\"\n"}, layers).size(), 1u);
    EXPECT_EQ(checkIncludes({"core/store/a.h", "#include \"simulator/engine/b.h\"\n"}, layers).size(), 1u);
    EXPECT_EQ(checkIncludes({"core/store/a.h", "#include \"b.h\"\n"}, layers).size(), 1u);
    EXPECT_EQ(checkIncludes({"core/store/a.h", "#include <qcustomplot.h>\n"}, layers).size(), 1u);
}

TEST(Checks, FindForeignClocksAndChance)
{
    EXPECT_EQ(checkDeterminism({"simulator/engine/a.cpp", "auto t = std::chrono::steady_clock::now();\n"}).size(), 1u);
    EXPECT_EQ(checkDeterminism({"core/store/a.cpp", "auto t = std::chrono::system_clock::now();\n"}).size(), 1u);
    EXPECT_EQ(checkDeterminism({"simulator/model/a.cpp", "std::uniform_int_distribution<int> d;\n"}).size(), 1u);
    EXPECT_EQ(checkDeterminism({"simulator/model/a.cpp", "std::unordered_map<int, int> m;\n"}).size(), 1u);
    EXPECT_THAT(checkDeterminism({"core/store/clock.cpp", "std::chrono::system_clock::now();\n"}), IsEmpty());
}

TEST(Checks, FindUnfinishedWork)
{
    EXPECT_EQ(checkUnfinished({"core/a.cpp", "// TODO: later\n"}).size(), 1u);
    EXPECT_THAT(checkUnfinished({"core/a.cpp", "// done\n"}), IsEmpty());
}
