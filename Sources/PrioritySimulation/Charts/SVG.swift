/// The few elements that the pictures are made of, with whole numbers only, and their style.
enum SVG {
  static func text(_ content: String, x: Int, y: Int, _ style: String) -> String {
    let escaped = content.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return "  <text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\">\(escaped)</text>\n"
  }

  static func line(x1: Int, y1: Int, x2: Int, y2: Int, _ style: String) -> String {
    "  <line class=\"\(style)\" x1=\"\(x1)\" y1=\"\(y1)\" x2=\"\(x2)\" y2=\"\(y2)\"/>\n"
  }

  static func rect(x: Int, y: Int, width: Int, height: Int, _ style: String) -> String {
    "  <rect class=\"\(style)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\"/>\n"
  }

  static func path(_ data: String, _ style: String) -> String {
    "  <path class=\"\(style)\" d=\"\(data)\"/>\n"
  }

  /// A document around elements.
  ///
  /// Colours are those of Okabe and Ito, which most colour-blind readers can tell apart; each is also told
  /// by a letter, a mark or a hatching.
  static func document(width: Int, height: Int, label: String, _ body: String) -> String {
    let label = label.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing("\"", with: "&quot;")
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
      width="\(width)" height="\(height)" role="img" aria-label="\(label)">
        <style>
          text { font: 13px ui-monospace, 'DejaVu Sans Mono', monospace; fill: #1d1d1f }
          .paper { fill: #ffffff }
          .title { font-weight: bold; font-size: 15px }
          .end { text-anchor: end } .middle { text-anchor: middle }
          .note { fill: #515154 }
          .letter { text-anchor: middle; font-weight: bold; fill: #000000 }
          .grid { stroke: #e3e3e8 } .axis { stroke: #86868b } .ready { stroke: #86868b; stroke-width: 2 }
          .waiting { stroke: #86868b; stroke-width: 2; stroke-dasharray: 2 4 }
          .free { fill: #c7c7cc; stroke: #6e6e73 }
          .blocked { fill: url(#hatch); stroke: #b00020 } .hatch { stroke: #b00020; stroke-width: 2 }
          .raised { stroke: #1d1d1f; stroke-width: 4 } .arrow { fill: #1d1d1f }
          .late { stroke: #b00020; stroke-width: 3; fill: none }
          polyline { fill: none; stroke-width: 2 }
          .s0 { stroke: #d55e00 } .s1 { stroke: #0072b2 } .s2 { stroke: #009e73 }
          .s3 { stroke: #cc79a7 } .s4 { stroke: #e69f00 } .s5 { stroke: #56b4e9 }
          .f0 { fill: #d55e00 } .f1 { fill: #0072b2 } .f2 { fill: #009e73 }
          .f3 { fill: #cc79a7 } .f4 { fill: #e69f00 } .f5 { fill: #56b4e9 }
          .l0 { fill: #e69f00; stroke: #6e6e73 } .l1 { fill: #56b4e9; stroke: #6e6e73 }
          .l2 { fill: #66c2a0; stroke: #6e6e73 } .l3 { fill: #e3acc8; stroke: #6e6e73 }
          .l4 { fill: #f0e442; stroke: #6e6e73 } .l5 { fill: #e98b4e; stroke: #6e6e73 }
          @media (prefers-color-scheme: dark) {
            text { fill: #f5f5f7 } .paper { fill: #1d1d1f } .note { fill: #a1a1a6 }
            .grid { stroke: #3a3a3c } .raised { stroke: #f5f5f7 } .arrow { fill: #f5f5f7 }
            .blocked { stroke: #ff6b81 } .hatch { stroke: #ff6b81 } .late { stroke: #ff6b81 }
            .free { fill: #6e6e73 }
          }
        </style>
        <defs>
          <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse">
            <path class="hatch" d="M-1,7 L7,-1"/>
          </pattern>
        </defs>
        <rect class="paper" width="\(width)" height="\(height)"/>
      \(body)</svg>

      """
  }
}

extension String {
  /// The string, with spaces before it where it is shorter than a width.
  func leading(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  /// The string, with spaces after it where it is shorter than a width.
  func trailing(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  var withoutTrailingSpaces: String { String(reversed().drop { $0 == " " }.reversed()) }

  /// The string, cut to a width.
  func cut(_ width: Int) -> String { count <= width ? self : prefix(width - 1) + "…" }
}
