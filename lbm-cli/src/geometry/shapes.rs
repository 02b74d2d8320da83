//! Shapes as words of the command line.

use lbm_core::Error;
use lbm_core::geometry::{Cuboid, Cylinder, Shape, Sphere};

/// Reads a shape, in nodes: `sphere:X,Y,Z,R`, `cylinder:X,Y,Z,X,Y,Z,R` (both ends of its axis), `box:X,Y,Z,X,Y,Z` (two corners).
///
/// # Errors
/// [`Error::Unknown`] for another shape, [`Error::OutOfRange`] for other numbers.
pub fn read_shape(text: &str) -> Result<Box<dyn Shape>, Error> {
    const KNOWN: [&str; 3] = ["sphere", "cylinder", "box"];
    let (name, numbers) = text.split_once(':').unwrap_or((text, ""));
    let numbers: Vec<f64> = numbers.split(',').map(|part| part.trim().parse().unwrap_or(f64::NAN)).collect();
    let finite = numbers.iter().all(|x| x.is_finite());
    match (name, numbers.as_slice()) {
        ("sphere", &[x, y, z, radius]) if finite && radius > 0.0 => {
            Ok(Box::new(Sphere { centre: [x, y, z], radius }))
        }
        ("cylinder", &[x, y, z, to_x, to_y, to_z, radius]) if finite && radius > 0.0 => {
            Ok(Box::new(Cylinder { from: [x, y, z], to: [to_x, to_y, to_z], radius }))
        }
        ("box", &[x, y, z, to_x, to_y, to_z]) if finite => {
            let [from, to] = [[x, y, z], [to_x, to_y, to_z]];
            let (low, high) = (
                std::array::from_fn(|axis| from[axis].min(to[axis])),
                std::array::from_fn(|axis| from[axis].max(to[axis])),
            );
            Ok(Box::new(Cuboid { low, high }))
        }
        _ if KNOWN.contains(&name) => Err(Error::out_of_range(
            "a shape",
            text,
            "sphere:X,Y,Z,R, cylinder:X,Y,Z,X,Y,Z,R or box:X,Y,Z,X,Y,Z with finite numbers and a radius above 0",
            "write e.g. sphere:64,64,64,12.5",
        )),
        _ => Err(Error::unknown(
            "shape",
            name,
            KNOWN,
            "the shapes are sphere:X,Y,Z,R, cylinder:X,Y,Z,X,Y,Z,R, box:X,Y,Z,X,Y,Z",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_read_or_refused_with_what_is_allowed() {
        assert!(read_shape("sphere:1,2,3,4").unwrap().contains([1.0, 2.0, 6.5]));
        assert!(read_shape("box:5,5,5,1,2,3").unwrap().contains([1.0, 2.0, 3.0]));
        assert!(read_shape("cylinder:0,0,0,0,0,9,2").unwrap().contains([1.0, 1.0, 8.0]));
        for wrong in
            ["sphere", "sphere:1,2,3", "sphere:1,2,3,-1", "box:1,2,3,4,5,x", "cylinder:0,0,0,0,0,nan,2"]
        {
            let message = read_shape(wrong).err().unwrap().to_string();
            assert!(message.contains(wrong) && message.contains("sphere:X,Y,Z,R"), "{message}");
        }
        assert!(read_shape("spere:1,2,3,4").err().unwrap().to_string().contains("did you mean `sphere`?"));
    }
}
