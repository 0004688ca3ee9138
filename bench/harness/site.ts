/** Serves the pages of the bench and the files that they load. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { answer } from './agent.ts';
import { serve, type Server } from './serve.ts';
import { answerHostile, answerHostileText } from './hostile.ts';

const DIST = join(import.meta.dirname, '../../dist');

const STAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<title>Bench</title>
<link rel="icon" href="data:," />
<style>
  body { margin: 0; font: 16px/1.5 sans-serif; }
  #host { box-sizing: border-box; block-size: 100vh; overflow: auto; padding: 16px; overflow-anchor: none; }
  #host.of-widget { padding: 0; }
  .group { contain: content; content-visibility: auto; contain-intrinsic-size: auto 2000px; }
  .part { display: block; contain-intrinsic-size: auto 900px; }
  .part > table { table-layout: fixed; inline-size: 100%; }
  pre { overflow-x: auto; padding: 12px; background: #f4f4f4; }
  table { border-collapse: collapse; }
  th, td { border: 1px solid #ccc; padding: 4px 8px; }
</style>
<div id="host"></div>
</html>`;

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.json': 'application/json',
};

export interface Fetched {
  readonly file: string;
  /** Gzipped sizes. */
  readonly bytes: number;
}

export interface Site extends Server {
  /** The files requested since the previous call. */
  takeFetched(): readonly Fetched[];
}

/** @param bundled - the folder of the bundled page scripts */
export async function openSite(bundled: string): Promise<Site> {
  let fetched: Fetched[] = [];

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://bench');
    if (url.pathname === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(STAGE);
    else if (url.pathname === '/agent/hostile') await answerHostile(url, request, response);
    else if (url.pathname === '/agent/hostile-text') await answerHostileText(url, request, response);
    else if (url.pathname.startsWith('/agent/')) await answer(url, request, response);
    else {
      const folder = url.pathname.startsWith('/dist/') ? DIST : bundled;
      const body = await readFile(join(folder, url.pathname.replace(/^\/(?:dist|page)\//, '')));
      fetched.push({ bytes: gzipSync(body, { level: 9 }).length, file: url.pathname });
      response.writeHead(200, { 'content-type': types[extname(url.pathname)] ?? 'application/octet-stream' }).end(body);
    }
  };
  const server = await serve(handle);
  return {
    ...server,
    takeFetched: () => {
      const taken = fetched;
      fetched = [];
      return taken;
    },
  };
}
