// Reads tables of a TOML file strictly: every missing, mistyped or unknown key becomes a sentence with its line.
#pragma once

#include "playground/session/LessonLoader.h"

#include <toml++/toml.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace playground {

/// Collects problems as "file:line: sentence".
class TomlProblems {
public:
    explicit TomlProblems(std::string fileName) : fileName_(std::move(fileName)) {}
    void add(uint32_t line, const std::string& sentence) {
        sentences.push_back(fileName_ + ":" + std::to_string(std::max(line, 1u)) + ": " + sentence);
    }
    std::vector<std::string> sentences;

private:
    std::string fileName_;
};

/// One table of the file. Each key is asked for once; finish() reports the keys that nobody asked for.
class TomlTable {
public:
    TomlTable(const toml::table& table, std::string name, TomlProblems& problems)
        : table_(table), name_(std::move(name)), problems_(problems) {}

    bool has(const std::string& key) const { return table_.contains(key); }
    uint32_t line(const std::string& key = {}) const {
        const toml::node* n = key.empty() ? nullptr : table_.get(key);
        return n ? n->source().begin.line : table_.source().begin.line;
    }
    void problem(const std::string& key, const std::string& sentence) const {
        problems_.add(line(key), (name_.empty() ? "" : name_ + ": ") + sentence);
    }

    std::string text(const std::string& key, bool required, const std::string& example, std::string otherwise = {}) {
        const toml::node* n = get(key, required, example);
        if (!n) return otherwise;
        if (const auto s = n->value_exact<std::string>()) return *s;
        problem(key, key + " must be text; write " + key + " = " + example);
        return otherwise;
    }
    double number(const std::string& key, bool required, const std::string& example, double otherwise = 0) {
        const toml::node* n = get(key, required, example);
        if (!n) return otherwise;
        if (n->is_number()) return *n->value<double>();
        problem(key, key + " must be a number; write " + key + " = " + example);
        return otherwise;
    }
    bool flag(const std::string& key) {
        const toml::node* n = get(key, false, "true");
        if (!n) return false;
        if (n->is_boolean()) return *n->value<bool>();
        problem(key, key + " must be true or false");
        return false;
    }
    /// An expression: text, or a plain number.
    std::string expression(const std::string& key, bool required, const std::string& example, std::string otherwise) {
        const toml::node* n = get(key, required, example);
        if (!n) return otherwise;
        if (const auto e = expressionOf(*n)) return *e;
        problem(key, key + " must be an expression in quotes or a number; write " + key + " = " + example);
        return otherwise;
    }
    /// One expression or a list of up to three; the rest is "1".
    std::vector<std::string> extents(const std::string& key, bool required, const std::string& example) {
        std::vector<std::string> result;
        const toml::node* n = get(key, required, example);
        if (!n) return {"1", "1", "1"};
        if (const toml::array* list = n->as_array()) {
            for (const toml::node& item : *list)
                if (const auto e = expressionOf(item)) result.push_back(*e);
            if (result.size() != list->size() || result.empty() || result.size() > 3) result.clear();
        } else if (const auto e = expressionOf(*n)) {
            result.push_back(*e);
        }
        if (result.empty())
            problem(key, key + " must be an expression or a list of up to three; write " + key + " = " + example);
        result.resize(3, "1");
        return result;
    }
    std::vector<std::string> texts(const std::string& key, bool required, const std::string& example) {
        std::vector<std::string> result;
        const toml::node* n = get(key, required, example);
        if (!n) return result;
        const toml::array* list = n->as_array();
        if (list)
            for (const toml::node& item : *list)
                if (const auto s = item.value_exact<std::string>()) result.push_back(*s);
        if (!list || result.size() != list->size())
            problem(key, key + " must be a list of texts; write " + key + " = " + example);
        return result;
    }
    std::vector<double> numbers(const std::string& key) {
        std::vector<double> result;
        const toml::node* n = get(key, false, "");
        if (!n) return result;
        const toml::array* list = n->as_array();
        if (list)
            for (const toml::node& item : *list)
                if (item.is_number()) result.push_back(*item.value<double>());
        if (!list || result.empty() || result.size() != list->size())
            problem(key, key + " must be a list of numbers; write " + key + " = [32, 64, 128]");
        return result;
    }
    /// A table of texts by language.
    std::map<std::string, std::string> byLanguage(const std::string& key, const std::string& example) {
        std::map<std::string, std::string> result;
        const toml::node* n = get(key, true, example);
        if (!n) return result;
        const toml::table* table = n->as_table();
        if (table)
            for (const auto& [language, value] : *table)
                if (const auto s = value.value_exact<std::string>()) result[std::string(language.str())] = *s;
        if (!table || !result.contains("en")) problem(key, "[" + key + "] needs a line en = " + example);
        return result;
    }
    /// The tables of [[key]], in the file's order.
    std::vector<const toml::table*> tables(const std::string& key) {
        std::vector<const toml::table*> result;
        const toml::node* n = get(key, false, "");
        if (!n) return result;
        const toml::array* list = n->as_array();
        if (list)
            for (const toml::node& item : *list)
                if (const toml::table* t = item.as_table()) result.push_back(t);
        if (!list || result.size() != list->size()) problem(key, "write [[" + key + "]] before each " + key);
        return result;
    }
    const toml::table* table(const std::string& key, bool required) {
        const toml::node* n = get(key, false, "");
        const toml::table* t = n ? n->as_table() : nullptr;
        if (!t && (n || required)) problem(n ? key : "", "a [" + key + "] table is missing");
        return t;
    }
    void finish() const {
        const std::vector<std::string> known(asked_.begin(), asked_.end());
        for (const auto& [key, value] : table_) {
            const std::string name(key.str());
            if (!asked_.contains(name)) problem(name, "'" + name + "' is not a key here; " + suggest(name, known));
        }
    }

private:
    const toml::node* get(const std::string& key, bool required, const std::string& example) {
        asked_.insert(key);
        const toml::node* n = table_.get(key);
        if (!n && required) problem("", key + " is missing; write " + key + " = " + example);
        return n;
    }
    static std::optional<std::string> expressionOf(const toml::node& n) {
        if (const auto s = n.value_exact<std::string>()) return *s;
        if (const auto i = n.value_exact<int64_t>()) return std::to_string(*i);
        if (const auto d = n.value_exact<double>()) {
            std::ostringstream text;
            text.precision(17);
            text << std::showpoint << *d;
            return text.str();
        }
        return std::nullopt;
    }

    const toml::table& table_;
    std::string name_;
    TomlProblems& problems_;
    std::set<std::string> asked_;
};

} // namespace playground
