//! Manyworlds in Zed: `mw dap` is the debug adapter, and this says how it is started.

use zed_extension_api::{
    self as zed, DebugAdapterBinary, DebugTaskDefinition, StartDebuggingRequestArguments,
    StartDebuggingRequestArgumentsRequest, Worktree, serde_json,
};

struct Manyworlds;

impl zed::Extension for Manyworlds {
    fn new() -> Self {
        Manyworlds
    }

    fn get_dap_binary(
        &mut self,
        _adapter: String,
        task: DebugTaskDefinition,
        path: Option<String>,
        worktree: &Worktree,
    ) -> Result<DebugAdapterBinary, String> {
        let mw = path.or_else(|| worktree.which("mw"));
        let mw = mw.ok_or("mw is not on the PATH; install Manyworlds first")?;
        let given: serde_json::Value =
            serde_json::from_str(&task.config).map_err(|error| error.to_string())?;
        let request = self.dap_request_kind(task.adapter, given)?;
        Ok(DebugAdapterBinary {
            command: Some(mw),
            arguments: vec!["dap".into()],
            envs: Vec::new(),
            cwd: Some(worktree.root_path()),
            connection: None,
            request_args: StartDebuggingRequestArguments { configuration: task.config, request },
        })
    }

    fn dap_request_kind(
        &mut self,
        _adapter: String,
        config: serde_json::Value,
    ) -> Result<StartDebuggingRequestArgumentsRequest, String> {
        match config["request"].as_str() {
            Some("launch") => Ok(StartDebuggingRequestArgumentsRequest::Launch),
            Some("attach") => Ok(StartDebuggingRequestArgumentsRequest::Attach),
            _ => Err("`request` is launch or attach".into()),
        }
    }
}

zed::register_extension!(Manyworlds);
