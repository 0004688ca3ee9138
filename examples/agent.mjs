/** An agent to develop with: it says the same words to everybody. `node agent.mjs` */
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const ANSWER = 'Hello! I am a *stream* of words. Put your own agent in my place.';

createServer(async (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const word of ANSWER.split(/(?<= )/)) {
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: word } }] })}\n\n`);
    await wait(60);
  }
  response.end('data: [DONE]\n\n');
}).listen(8080, '127.0.0.1');
