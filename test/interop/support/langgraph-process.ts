/** LangGraph's own server, in a process of its own: its workers never end. */
import { startServer } from '@langchain/langgraph-api/server';

const graphs = ['echo', 'nested', 'trip', 'asking', 'askingTwice', 'review', 'held', 'broken'];
const file = new URL('langgraph-graphs.ts', import.meta.url).pathname;

void startServer({
  port: 0,
  host: '127.0.0.1',
  // Each idles up to a second between two looks at its queue.
  nWorkers: 16,
  // Where it keeps its threads.
  cwd: process.cwd(),
  graphs: { agent: `${file}:echo`, ...Object.fromEntries(graphs.map((name) => [name, `${file}:${name}`])) },
}).then(({ host }) => process.send?.(host));
