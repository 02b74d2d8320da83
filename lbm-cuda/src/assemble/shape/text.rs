//! A launch shape as text.

use std::fmt;
use std::str::FromStr;

use super::{March, Shape};

/// `2x128x1x1`: nodes a thread, then the block; `2x128x1x1x4` with a number of blocks; `4x64x4x1+z8` marching along z in
/// eight parts, `4x64x4x1+z8a` with the next plane prefetched, `1x32x24x1+z4h2` with two steps at once, for which two columns
/// at each side only serve the others, in as many parts as fill the machine four times; `1x32x12x1+z4f` with fields that follow on the way, likewise.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.block;
        write!(f, "{}x{x}x{y}x{z}", self.nodes)?;
        self.blocks.map_or(Ok(()), |blocks| write!(f, "x{blocks}"))?;
        self.march.map_or(Ok(()), |March { axis, parts, prefetch, steps, fields }| {
            write!(f, "+{}{parts}", if axis == 1 { 'y' } else { 'z' })?;
            if steps > 1 {
                write!(f, "h{steps}")?;
            }
            f.write_str(if fields { "f" } else { "" })?;
            f.write_str(if prefetch { "a" } else { "" })
        })
    }
}

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Shape, String> {
        let (text, march) = text.split_once('+').map_or((text, None), |(text, march)| (text, Some(march)));
        let no_march =
            || format!("`{text}` does not march along y or z in some parts; write e.g. 4x64x4x1+z8");
        let march = march.map(|march| march_of(march).ok_or_else(no_march)).transpose()?;
        let numbers: Option<Vec<u32>> =
            text.split('x').map(|part| part.parse().ok().filter(|&n| n > 0)).collect();
        match numbers.as_deref() {
            Some(&[nodes, x, y, z, ref blocks @ ..]) if blocks.len() <= 1 => {
                let blocks = blocks.first().copied();
                Ok(Shape { nodes: nodes as usize, block: [x, y, z], blocks, march })
            }
            _ => Err(format!(
                "`{text}` is no launch shape; write nodes a thread and the block, e.g. 2x128x1x1"
            )),
        }
    }
}

/// What stands behind the `+`.
fn march_of(text: &str) -> Option<March> {
    let axis = match text.chars().next()? {
        'y' => 1,
        'z' => 2,
        _ => return None,
    };
    let (numbers, prefetch) = text[1..].strip_suffix('a').map_or((&text[1..], false), |rest| (rest, true));
    let (numbers, fields) = numbers.strip_suffix('f').map_or((numbers, false), |rest| (rest, true));
    let (parts, steps) = match numbers.split_once('h') {
        Some((parts, steps)) => (parts, steps.parse().ok().filter(|&steps: &u32| steps > 1)?),
        None => (numbers, 1),
    };
    let parts = parts.parse().ok().filter(|&parts| parts > 0)?;
    Some(March { axis, parts, prefetch, steps, fields })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_reads_back_as_printed() {
        let marching = Some(March::new(2, 8).with_prefetch(true));
        let serving = Some(March::new(2, 8).with_steps(2));
        let on_the_way = Some(March::new(1, 8).with_fields(true));
        let wide = Shape { nodes: 4, block: [32, 4, 2], blocks: Some(3), march: None };
        let marches = [marching, serving, on_the_way].map(|march| Shape { march, ..wide });
        for shape in [Shape::PLAIN, wide].into_iter().chain(marches) {
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
