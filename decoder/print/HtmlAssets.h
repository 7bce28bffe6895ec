// The files under html/, put into the library when it is built.
#ifndef KPERF_DECODER_HTML_ASSETS_H
#define KPERF_DECODER_HTML_ASSETS_H

#include <string_view>

namespace kperf::decoder {

extern const std::string_view html_page_html, html_style_css;
extern const std::string_view html_numbers_js, html_links_js, html_tables_js, html_distribution_js, html_overlap_js, html_findings_js,
    html_locality_js, html_source_js, html_timeline_rows_js, html_timeline_picture_js, html_timeline_cursor_js, html_timeline_names_js,
    html_timeline_js, html_pipelines_js, html_range_overlap_js, html_range_js, html_occupancy_js, html_page_js;

} // namespace kperf::decoder

#endif
