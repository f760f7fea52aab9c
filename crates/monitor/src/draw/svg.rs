//! An automaton as a picture. Where things are is decided by a library; how they look, here: it
//! needs nothing from elsewhere, and can be read on paper.

use std::fmt::Write as _;

use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::{Point, get_size_for_str};
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;

use super::{Marks, annotations};
use crate::automaton::{Automaton, StateId};

/// The library takes a character to be as wide as it is high. With this for its size, and every
/// second line empty, there is as much room as letters of [`FONT`] need.
const CELL: usize = 8;
/// The size of letters.
const FONT: usize = 13;
/// The most states and ways that are drawn: more cannot be read, and take long to be placed.
const MOST: usize = 200;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0} states and ways are more than can be drawn ({MOST}): write it for Graphviz, which may do it"
)]
pub struct TooLarge(usize);

impl Automaton {
    /// The automaton as a picture in SVG.
    pub fn to_svg(&self, marks: &Marks) -> Result<String, TooLarge> {
        let edges = self.edges(marks);
        let size = self.states.len() + edges.len();
        if size > MOST {
            return Err(TooLarge(size));
        }
        let orientation = Orientation::TopToBottom;
        let mut graph = VisualGraph::new(orientation);
        let nodes = self.states.iter().zip(0..).map(|(state, number)| {
            let mut lines = vec![state.name.clone()];
            lines.extend(annotations(state));
            // A little room around them.
            let padded = lines.iter().map(|line| format!("\u{a0}{line}\u{a0}"));
            let label = spaced(&padded.collect::<Vec<_>>().join("\n")) + "\u{a0}\n";
            let fill = colour(marks.fill(StateId(number), state));
            let width = if number == 0 { 3 } else { 1 };
            let look = StyleAttr::new(colour("#37474f"), width, Some(fill), 8, CELL);
            let size = get_size_for_str(&label, CELL);
            let shape = match state.is_final {
                true => ShapeKind::DoubleCircle(label),
                false => ShapeKind::Box(label),
            };
            Element::create(shape, look, orientation, size)
        });
        let nodes: Vec<_> =
            nodes.collect::<Vec<_>>().into_iter().map(|node| graph.add_node(node)).collect();
        for edge in edges {
            let (line, width) = if edge.last { ("#8d6e63", 3) } else { ("#37474f", 1) };
            let look = StyleAttr::new(colour(line), width, None, 0, CELL);
            let style = if edge.fails { LineStyleKind::Dashed } else { LineStyleKind::Normal };
            let (none, arrow) = (LineEndKind::None, LineEndKind::Arrow);
            let arrow = Arrow::new(none, arrow, style, &spaced(&edge.label), &look, &None, &None);
            graph.add_edge(arrow, nodes[usize::from(edge.from.0)], nodes[usize::from(edge.to.0)]);
        }
        let mut picture = Picture::default();
        graph.do_it(false, false, false, &mut picture);
        Ok(picture.finish(self.name()))
    }
}

/// With an empty line after each, which only makes room.
fn spaced(text: &str) -> String {
    text.lines().flat_map(|line| [line, "\n", "\u{a0}\n"]).collect()
}

fn colour(web: &str) -> Color {
    let hex = u32::from_str_radix(web.trim_start_matches('#'), 16).unwrap_or_default();
    Color::new(hex << 8 | 0xff)
}

/// What has been drawn so far.
#[derive(Default)]
struct Picture {
    content: String,
    /// Texts are on top of everything else.
    texts: String,
    width: f64,
    height: f64,
}

impl Picture {
    fn reach(&mut self, point: Point) {
        self.width = self.width.max(point.x);
        self.height = self.height.max(point.y);
    }

    fn finish(self, name: &str) -> String {
        let (width, height) = (self.width.ceil() + 20., self.height.ceil() + 20.);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"monospace\" font-size=\"{FONT}\">\n\
             <title>{}</title>\n\
             <defs><marker id=\"end\" markerWidth=\"10\" markerHeight=\"8\" refX=\"9\" refY=\"4\" \
             orient=\"auto-start-reverse\" markerUnits=\"userSpaceOnUse\">\
             <path d=\"M0,0 L10,4 L0,8 z\" fill=\"#37474f\"/></marker></defs>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{}{}</svg>\n",
            escaped(name),
            self.content,
            self.texts
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn fill(look: &StyleAttr) -> String {
    look.fill_color.map_or("none".to_owned(), |colour| colour.to_web_color()[..7].to_owned())
}

fn stroke(look: &StyleAttr) -> String {
    let colour = look.line_color.to_web_color();
    format!("stroke=\"{}\" stroke-width=\"{}\"", &colour[..7], look.line_width)
}

impl RenderBackend for Picture {
    fn draw_rect(
        &mut self,
        at: Point,
        size: Point,
        look: &StyleAttr,
        _: Option<String>,
        _: Option<ClipHandle>,
    ) {
        self.reach(at.add(size));
        // Writing to a text cannot fail.
        let _ = writeln!(
            self.content,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{}\" fill=\"{}\" {}/>",
            at.x,
            at.y,
            size.x,
            size.y,
            look.rounded,
            fill(look),
            stroke(look)
        );
    }

    fn draw_line(&mut self, start: Point, stop: Point, look: &StyleAttr, _: Option<String>) {
        self.reach(start);
        self.reach(stop);
        let _ = writeln!(
            self.content,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {}/>",
            start.x,
            start.y,
            stop.x,
            stop.y,
            stroke(look)
        );
    }

    fn draw_circle(&mut self, at: Point, size: Point, look: &StyleAttr, _: Option<String>) {
        let (rx, ry) = (size.x / 2., size.y / 2.);
        self.reach(Point::new(at.x + rx, at.y + ry));
        let _ = writeln!(
            self.content,
            "<ellipse cx=\"{:.1}\" cy=\"{:.1}\" rx=\"{rx:.1}\" ry=\"{ry:.1}\" fill=\"{}\" {}/>",
            at.x,
            at.y,
            fill(look),
            stroke(look)
        );
    }

    fn draw_text(&mut self, at: Point, text: &str, look: &StyleAttr) {
        // What stands on a line is told apart from it.
        let halo = match look.fill_color {
            Some(_) => "",
            None => " paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"5\"",
        };
        let lines: Vec<&str> = text.lines().filter(|line| *line != "\u{a0}").collect();
        let height = 2. * CELL as f64;
        let top = at.y - height * (lines.len() as f64 - 1.) / 2.;
        for (line, number) in lines.into_iter().zip(0..) {
            let y = top + height * f64::from(number);
            self.reach(Point::new(at.x + (line.chars().count() * CELL) as f64 / 2., y));
            let _ = writeln!(
                self.texts,
                "<text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" \
                 dominant-baseline=\"central\"{halo}>{}</text>",
                at.x,
                escaped(line.trim_matches('\u{a0}'))
            );
        }
    }

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        dashed: bool,
        head: (bool, bool),
        look: &StyleAttr,
        _: Option<String>,
        _: &str,
    ) {
        let mut way = String::new();
        for (step, (one, other)) in path.iter().enumerate() {
            self.reach(*one);
            self.reach(*other);
            // The first point is left by its second one, and every other is come to by its first.
            let _ = match step {
                0 => write!(way, "M {:.1} {:.1} C {:.1} {:.1}", one.x, one.y, other.x, other.y),
                1 => write!(way, ", {:.1} {:.1}, {:.1} {:.1}", one.x, one.y, other.x, other.y),
                _ => write!(way, " S {:.1} {:.1}, {:.1} {:.1}", one.x, one.y, other.x, other.y),
            };
        }
        let dash = if dashed { " stroke-dasharray=\"6,4\"" } else { "" };
        let start = if head.0 { " marker-start=\"url(#end)\"" } else { "" };
        let end = if head.1 { " marker-end=\"url(#end)\"" } else { "" };
        let _ = writeln!(
            self.content,
            "<path d=\"{way}\" fill=\"none\" {}{dash}{start}{end}/>",
            stroke(look)
        );
    }

    fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
        0
    }
}
