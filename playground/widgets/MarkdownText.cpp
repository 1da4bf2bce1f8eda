// Builds blocks from md4c's events.
#include "playground/widgets/MarkdownText.h"

#include <md4c.h>

#include <utility>

namespace playground {
namespace {

struct ListLevel {
    bool ordered = false;
    unsigned next = 1;
};

/// Collects events; `self` is passed through md4c's callbacks.
class Collector {
public:
    std::vector<MarkdownBlock> blocks;

    void enterBlock(MD_BLOCKTYPE type, void* detail) {
        switch (type) {
        case MD_BLOCK_H: open(MarkdownBlock::Kind::Heading, static_cast<MD_BLOCK_H_DETAIL*>(detail)->level); break;
        case MD_BLOCK_P: openText(); break;
        case MD_BLOCK_CODE:
            open(MarkdownBlock::Kind::Code, 0);
            blocks.back().spans.emplace_back();
            break;
        case MD_BLOCK_HR: open(MarkdownBlock::Kind::Rule, 0); break;
        case MD_BLOCK_QUOTE: ++quotes_; break;
        case MD_BLOCK_UL: lists_.push_back({false, 0}); break;
        case MD_BLOCK_OL: lists_.push_back({true, static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start}); break;
        case MD_BLOCK_LI:
            marker_ = nextMarker();
            needsItem_ = true;
            break;
        case MD_BLOCK_TABLE: open(MarkdownBlock::Kind::Table, 0); break;
        case MD_BLOCK_TR: blocks.back().rows.emplace_back(); break;
        case MD_BLOCK_TH:
        case MD_BLOCK_TD: blocks.back().rows.back().emplace_back(); break;
        default: break;
        }
    }

    void leaveBlock(MD_BLOCKTYPE type) {
        if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists_.pop_back();
        if (type == MD_BLOCK_QUOTE) --quotes_;
        if (type == MD_BLOCK_LI) needsItem_ = false;
        if (type == MD_BLOCK_CODE && !blocks.back().spans[0].text.empty()) blocks.back().spans[0].text.pop_back();
    }

    void span(MD_SPANTYPE type, void* detail, bool enter) {
        if (type == MD_SPAN_STRONG) style_.bold = enter;
        if (type == MD_SPAN_EM) style_.italic = enter;
        if (type == MD_SPAN_CODE) style_.code = enter;
        if (type != MD_SPAN_A) return;
        const auto* a = static_cast<MD_SPAN_A_DETAIL*>(detail);
        style_.link = enter ? std::string(a->href.text, a->href.size) : "";
    }

    void text(MD_TEXTTYPE type, std::string_view text) {
        if (needsItem_) openText();
        if (blocks.empty()) open(MarkdownBlock::Kind::Paragraph, 0);
        std::string add(text);
        if (type == MD_TEXT_SOFTBR)
            add = " ";
        else if (type == MD_TEXT_BR)
            add = "\n";
        else if (type == MD_TEXT_NULLCHAR)
            add = "\xef\xbf\xbd";
        else if (type == MD_TEXT_ENTITY)
            add = entity(text);
        MarkdownBlock& block = blocks.back();
        if (block.kind == MarkdownBlock::Kind::Code) {
            block.spans[0].text += add;
            return;
        }
        MarkdownSpans& spans =
            block.kind == MarkdownBlock::Kind::Table && !block.rows.empty() ? block.rows.back().back() : block.spans;
        const bool same = !spans.empty() && spans.back().bold == style_.bold && spans.back().italic == style_.italic &&
                          spans.back().code == style_.code && spans.back().link == style_.link && add != "\n" &&
                          spans.back().text != "\n";
        if (same)
            spans.back().text += add;
        else
            spans.push_back({add, style_.bold, style_.italic, style_.code, style_.link});
    }

private:
    void open(MarkdownBlock::Kind kind, unsigned level) {
        MarkdownBlock block;
        block.kind = kind;
        block.level = level;
        blocks.push_back(std::move(block));
        needsItem_ = false;
    }

    void openText() {
        if (lists_.empty()) {
            open(quotes_ > 0 ? MarkdownBlock::Kind::Quote : MarkdownBlock::Kind::Paragraph, 0);
            return;
        }
        open(MarkdownBlock::Kind::ListItem, unsigned(lists_.size()) - 1);
        blocks.back().marker = std::exchange(marker_, "");
    }

    std::string nextMarker() {
        if (lists_.empty() || !lists_.back().ordered) return "\u2022";
        return std::to_string(lists_.back().next++) + ".";
    }

    static std::string entity(std::string_view text) {
        if (text == "&amp;") return "&";
        if (text == "&lt;") return "<";
        if (text == "&gt;") return ">";
        if (text == "&quot;") return "\"";
        if (text == "&nbsp;") return "\u00a0";
        return std::string(text);
    }

    std::vector<ListLevel> lists_;
    MarkdownSpan style_;
    std::string marker_;
    int quotes_ = 0;
    bool needsItem_ = false;
};

int onEnterBlock(MD_BLOCKTYPE t, void* d, void* self) {
    static_cast<Collector*>(self)->enterBlock(t, d);
    return 0;
}
int onLeaveBlock(MD_BLOCKTYPE t, void*, void* self) {
    static_cast<Collector*>(self)->leaveBlock(t);
    return 0;
}
int onEnterSpan(MD_SPANTYPE t, void* d, void* self) {
    static_cast<Collector*>(self)->span(t, d, true);
    return 0;
}
int onLeaveSpan(MD_SPANTYPE t, void* d, void* self) {
    static_cast<Collector*>(self)->span(t, d, false);
    return 0;
}
int onText(MD_TEXTTYPE t, const MD_CHAR* text, MD_SIZE size, void* self) {
    static_cast<Collector*>(self)->text(t, {text, size});
    return 0;
}

/// Markdown ends a link's target at a space; ours have some, so they get the angle brackets that allow them.
std::string bracketActions(std::string_view text) {
    constexpr std::string_view kOpen = "](action:";
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const size_t open = text.find(kOpen, at);
        const size_t close = open == std::string_view::npos ? open : text.find_first_of(")\n", open);
        if (close == std::string_view::npos || text[close] == '\n') {
            const size_t end = close == std::string_view::npos ? text.size() : close + 1;
            out += text.substr(at, end - at);
            at = end;
            continue;
        }
        out += text.substr(at, open + 2 - at);
        out += '<';
        out += text.substr(open + 2, close - open - 2);
        out += ">)";
        at = close + 1;
    }
    return out;
}

} // namespace

std::vector<MarkdownBlock> parseMarkdown(std::string_view source) {
    const std::string text = bracketActions(source);
    Collector collector;
    const MD_PARSER parser = {0,
                              MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS,
                              onEnterBlock,
                              onLeaveBlock,
                              onEnterSpan,
                              onLeaveSpan,
                              onText,
                              nullptr,
                              nullptr};
    md_parse(text.data(), MD_SIZE(text.size()), &parser, &collector);
    return std::move(collector.blocks);
}

} // namespace playground
