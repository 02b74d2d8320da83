//! Shapes as words of the command line.

use lbm_core::Error;
use lbm_core::geometry::{Cuboid, Cylinder, Shape, ShapePlacement, Sphere};

use super::source::read_point;

/// Reads a shape, in nodes: `sphere:X,Y,Z,R`, `cylinder:X,Y,Z,X,Y,Z,R` (both ends of its axis), `box:X,Y,Z,X,Y,Z` (two corners), and behind it, in any order,
/// how it is placed ([`ShapePlacement`]): `rotate=X,Y,Z` in degrees, `scale=N` or `length=N`, `at=X,Y,Z`.
///
/// # Errors
/// [`Error::Unknown`] for another shape or word, [`Error::OutOfRange`] for other numbers, [`Error::Conflict`] for a word that is there twice.
pub fn read_shape(text: &str) -> Result<Box<dyn Shape>, Error> {
    // Numbers may have blanks between them; a word begins with its name.
    let own = text
        .find('=')
        .map_or(text, |end| text[..end].rsplit_once(char::is_whitespace).map_or("", |(own, _)| own));
    let shape = primitive(own.trim_end())?;
    let words = text[own.len()..].trim();
    if words.is_empty() { Ok(shape) } else { Ok(Box::new(shape.placed(&placement(words)?)?)) }
}

/// Reads how a shape is placed.
fn placement(words: &str) -> Result<ShapePlacement, Error> {
    const KNOWN: [&str; 4] = ["rotate", "scale", "length", "at"];
    let (mut placement, mut given) = (ShapePlacement::default(), Vec::new());
    for word in words.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let number = || {
            value
                .parse()
                .map_err(|_| Error::out_of_range(name, value, "a number", "write it in digits, e.g. 2.5"))
        };
        let sized = |name: &&str| ["scale", "length"].contains(name);
        if given.contains(&name) || (sized(&name) && given.iter().any(sized)) {
            let what = format!("`{words}` says twice how a shape is placed");
            return Err(Error::conflict(what, "give each of rotate, at, and scale or length once"));
        }
        placement = match name {
            "rotate" => placement.rotated(read_point(value)?)?,
            "scale" => placement.scaled(number()?),
            "length" => placement.long(number()?),
            "at" => placement.at(read_point(value)?)?,
            _ => {
                let remedy = "a shape is placed by rotate=X,Y,Z, scale=N or length=N, at=X,Y,Z";
                return Err(Error::unknown("word of a shape", name, KNOWN, remedy));
            }
        };
        given.push(name);
    }
    Ok(placement)
}

fn primitive(text: &str) -> Result<Box<dyn Shape>, Error> {
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

    #[test]
    fn a_shape_is_placed_by_words_behind_it() {
        let tower = read_shape("box:0, 0, 0, 8, 2, 2 rotate=0,0,90 scale=2 at=10,20,30").unwrap();
        let within = Cuboid { low: [8.0, 12.0, 28.0], high: [12.0, 28.0, 32.0] };
        assert_eq!(tower.bounds(), within.bounds());
        assert!(tower.contains([11.5, 27.5, 31.5]) && !tower.contains([14.5, 20.5, 30.5]));
        assert_eq!(read_shape("sphere:0,0,0,1 length=8").unwrap().bounds().high, [4.0; 3]);
        // What is not placed is the shape itself.
        assert_eq!(read_shape("sphere:0.1,0,0,1").unwrap().bounds().low, [0.1 - 1.0, -1.0, -1.0]);
        for (words, said) in [
            ("scale=0", "5.000e-1 to 5.243e5 nodes a unit of length"),
            ("scale=-2", "scale = -2"),
            ("scale=nan", "scale = NaN"),
            ("scale=1e30", "scale = 1"),
            ("scale=two", "scale = two is out of range: a number"),
            ("length=0.5", "length = 0.5 is out of range: 1 to 1048576 nodes"),
            ("rotate=0,0,inf", "three numbers with commas"),
            ("rotate=0,0,2e6", "turn = 2000000"),
            ("rotate=30", "30"),
            ("at=1e10,0,0", "place = 10000000000"),
            ("at=1,2,3 at=1,2,3", "says twice"),
            ("scale=2 length=8", "says twice"),
            ("turn=1,2,3", "unknown word of a shape `turn`"),
            ("at=1,2,3 rotated", "unknown word of a shape `rotated`"),
        ] {
            let message = read_shape(&format!("sphere:1,2,3,1 {words}")).err().unwrap().to_string();
            assert!(message.contains(said), "{words}: {message}");
        }
        assert!(read_shape("scale=2").err().unwrap().to_string().contains("sphere:X,Y,Z,R"));
    }
}
