export const HELP = `agent-chat-element: a conversation with any agent, from its address.

  agent-chat-element <url>                  opens a page with the widget, connected to the server at <url>
  agent-chat-element demo                   opens the widget with a scripted agent
  agent-chat-element check <url>            checks everything that can keep a page from talking to the server
  agent-chat-element record <url> "Hello"   sends one message and writes the reply to a file
  agent-chat-element replay <file>          parses a recorded reply; with --against <url>, sends its message again
                                            and compares what comes back

Options
  -H, --header 'name: value'   sent to the server; $NAME comes from the environment. May be repeated
      --body '{"key": 1}'      fields merged into the body of each turn
      --protocol <id>          the protocol (default: detected automatically)
      --mapping <file.json>    a protocol described as JSON
      --agent <id>             the agent, if the server has several
      --tools <file.js>        a module whose default export is a list of tools of the page
      --port <number>          the port of the page (default: a free one)
      --no-open                does not open the browser
      --timeout <seconds>      check, record, replay: the longest wait for a reply (default: 120)
      --against <url>          replay: the server to compare with
  -o, --out <file>             record: the file to write (default: recording-<protocol>.json)
      --json                   check, replay: prints JSON
  -h, --help
  -v, --version

Exit code: 0 when all is well, 1 when a check or comparison failed, 2 for a mistake in the command.
`;
