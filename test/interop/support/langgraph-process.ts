/** Runs LangGraph's own server in its own process, because its workers never end. */
import { startServer } from '@langchain/langgraph-api/server';

const graphs = ['echo', 'nested', 'trip', 'asking', 'askingTwice', 'review', 'held', 'broken'];
const file = new URL('langgraph-graphs.ts', import.meta.url).pathname;

void startServer({
  port: 0,
  host: '127.0.0.1',
  // Each worker waits up to a second before it polls its queue again.
  nWorkers: 16,
  // The folder in which it stores its threads.
  cwd: process.cwd(),
  graphs: { agent: `${file}:echo`, ...Object.fromEntries(graphs.map((name) => [name, `${file}:${name}`])) },
}).then(({ host }) => process.send?.(host));
