//! A launch shape as text.

use std::fmt;
use std::str::FromStr;

use super::{March, Shape};

/// `2x128x1x1`: nodes a thread, then the block; `2x128x1x1x4` with a number of blocks; `4x64x4x1+z8` marching along z in
/// eight parts, `4x64x4x1+z8a` with the next plane prefetched, `1x32x24x1+z4h2` with two steps at once, for which two columns
/// at each side only serve the others.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.block;
        write!(f, "{}x{x}x{y}x{z}", self.nodes)?;
        self.blocks.map_or(Ok(()), |blocks| write!(f, "x{blocks}"))?;
        self.march.map_or(Ok(()), |March { axis, parts, prefetch, steps }| {
            write!(f, "+{}{parts}", if axis == 1 { 'y' } else { 'z' })?;
            if steps > 1 {
                write!(f, "h{steps}")?;
            }
            f.write_str(if prefetch { "a" } else { "" })
        })
    }
}

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Shape, String> {
        let (text, march) = match text.split_once('+') {
            Some((text, march)) => (text, Some(march)),
            None => (text, None),
        };
        let march = march.map(|march| {
            let axis = match march.chars().next() {
                Some('y') => Some(1),
                Some('z') => Some(2),
                _ => None,
            };
            let prefetch = march.ends_with('a');
            let (parts, steps) = match march.trim_end_matches('a').split_once('h') {
                Some((parts, steps)) => (parts, steps.parse().ok().filter(|&steps: &u32| steps > 1)?),
                None => (march.trim_end_matches('a'), 1),
            };
            let parts = parts.get(1..).and_then(|parts| parts.parse().ok());
            axis.zip(parts.filter(|&parts| parts > 0)).map(|(axis, parts)| March {
                axis,
                parts,
                prefetch,
                steps,
            })
        });
        let march = match march {
            Some(None) => {
                return Err(format!(
                    "`{text}` does not march along y or z in some parts; write e.g. 4x64x4x1+z8"
                ));
            }
            Some(march) => march,
            None => None,
        };
        let numbers: Option<Vec<u32>> =
            text.split('x').map(|part| part.parse().ok().filter(|&n| n > 0)).collect();
        match numbers.as_deref() {
            Some(&[nodes, x, y, z]) => {
                Ok(Shape { nodes: nodes as usize, block: [x, y, z], blocks: None, march })
            }
            Some(&[nodes, x, y, z, blocks]) => {
                Ok(Shape { nodes: nodes as usize, block: [x, y, z], blocks: Some(blocks), march })
            }
            _ => Err(format!(
                "`{text}` is no launch shape; write nodes a thread and the block, e.g. 2x128x1x1"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_reads_back_as_printed() {
        let marching = Some(March { axis: 2, parts: 8, prefetch: true, steps: 1 });
        let serving = Some(March { axis: 2, parts: 8, prefetch: false, steps: 2 });
        let wide = Shape { nodes: 4, block: [32, 4, 2], blocks: Some(3), march: None };
        let shapes =
            [Shape::PLAIN, wide, Shape { march: marching, ..wide }, Shape { march: serving, ..wide }];
        for shape in shapes {
            assert_eq!(shape.to_string().parse(), Ok(shape));
        }
        for wrong in [
            "",
            "2",
            "2x0x1x1",
            "2x128x1",
            "1x2x3x4x5x6",
            "axbxcxd",
            "4x64x4x1+",
            "4x64x4x1+x4",
            "4x64x4x1+z0",
            "1x32x24x1+z4h1",
        ] {
            assert!(wrong.parse::<Shape>().is_err(), "{wrong}");
        }
    }
}
