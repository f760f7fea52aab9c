//! Binaries by hand: what no tool would make.

/// An unsigned number in LEB128.
pub fn leb(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let byte = number as u8 & 0x7f;
        number >>= 7;
        if number == 0 {
            bytes.push(byte);
            return bytes;
        }
        bytes.push(byte | 0x80);
    }
}

/// A section of the right size.
pub fn section(id: u8, content: &[u8]) -> Vec<u8> {
    [&[id][..], &leb(content.len() as u64), content].concat()
}

/// A list with its length.
pub fn list(items: &[Vec<u8>]) -> Vec<u8> {
    [leb(items.len() as u64), items.concat()].concat()
}

pub fn module(sections: &[Vec<u8>]) -> Vec<u8> {
    [b"\0asm\x01\0\0\0".to_vec(), sections.concat()].concat()
}

/// A module with one function `f` without parameters, whose body is given without its size.
pub fn function(results: &[u8], locals_and_code: &[u8]) -> Vec<u8> {
    let ty = [vec![0x60, 0], leb(results.len() as u64), results.to_vec()].concat();
    let body = [leb(locals_and_code.len() as u64), locals_and_code.to_vec()].concat();
    module(&[
        section(1, &list(&[ty])),
        section(3, &list(&[vec![0]])),
        section(7, &list(&[b"\x01f\0\0".to_vec()])),
        section(10, &list(&[body])),
    ])
}
