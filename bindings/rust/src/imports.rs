//! The imports as they are. Sizes and addresses are 32 bits wide, on the only target there is.

#[link(wasm_import_module = "actor")]
unsafe extern "C" {
    pub fn spawn(kind: *const u8, kind_len: usize, data: *const u8, len: usize) -> i32;
    #[link_name = "self"]
    pub fn this() -> i32;
    pub fn sender() -> i32;
    pub fn find(name: *const u8, name_len: usize) -> i32;
    pub fn tell(to: i32, name: *const u8, name_len: usize, data: *const u8, len: usize);
    pub fn send(to: i32, name: *const u8, name_len: usize, data: *const u8, len: usize) -> i32;
    pub fn when(future: i32, name: *const u8, name_len: usize, data: *const u8, len: usize);
    pub fn rescue(future: i32, name: *const u8, name_len: usize, data: *const u8, len: usize);
    pub fn payload(at: *mut u8, room: usize) -> usize;
    pub fn defer() -> i32;
    pub fn resolve(answer: i32, data: *const u8, len: usize);
    pub fn ruin(answer: i32, data: *const u8, len: usize);
    pub fn stop();
}
