/** `npm run fuzz -- --minutes 10`: mutates the recorded streams of all adapters until an invariant fails. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mutate, shrink } from './mutate.ts';
import { openPage } from './page-host.ts';
import { play } from './play.ts';
import { randomFrom } from './random.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' }, protocol: { type: 'string' } },
});
const CORPUS = join(import.meta.dirname, 'corpus');
const RECORDINGS = join(import.meta.dirname, '../test/protocols');
/** Longer inputs are not mutated further. */
const KEPT_LENGTH = 32 * 1024;
/** How often the text of a stream is also rendered in a page. */
const SHOWN_EVERY = 20;

interface Input {
  readonly protocol: string;
  readonly body: string;
}

async function readAll(root: string): Promise<readonly Input[]> {
  const names = await readdir(root, { recursive: true }).catch(() => []);
  const streamFiles = names.filter((name) => /\.(?:sse|ndjson|txt)$/.test(name) || /(?<!expect)\.json$/.test(name));
  return Promise.all(
    streamFiles.map(async (name) => ({
      protocol: name.split(/[\\/]/)[0] ?? '',
      body: await readFile(join(root, name), 'utf8'),
    })),
  );
}

const inputs = [...(await readAll(RECORDINGS)), ...(await readAll(CORPUS))].filter(
  ({ protocol }) => values.protocol === undefined || values.protocol === protocol,
);
const seeds = inputs.length;
const known = new Set<string>();
for (const { protocol, body } of inputs) known.add(await play(protocol, body));

const page = await openPage();
const until = Date.now() + Number(values.minutes) * 60_000;
const first = Number(values.seed ?? Date.now() % 1e9);
let found = 0;
let count = 0;
for (let seed = first; Date.now() < until; seed++) {
  const random = randomFrom(seed);
  const from = random.one(inputs);
  if (!from) break;
  const { protocol } = from;
  const body = mutate(from.body, random);
  count++;
  const run = async (text: string): Promise<string> => {
    const reported = await play(protocol, text);
    if (count % SHOWN_EVERY === 0) await page.show(text);
    return reported;
  };
  try {
    const reported = await run(body);
    if (known.has(reported) || body.length > KEPT_LENGTH) continue;
    known.add(reported);
    inputs.push({ protocol, body });
    const name = createHash('sha256').update(body).digest('hex').slice(0, 12);
    await mkdir(join(CORPUS, protocol), { recursive: true });
    await writeFile(join(CORPUS, protocol, `${name}.txt`), body);
  } catch (error) {
    found++;
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const same = (text: string): Promise<boolean> =>
      run(text).then(
        () => false,
        (other: unknown) =>
          other instanceof Error && error instanceof Error && other.message.slice(0, 40) === error.message.slice(0, 40),
      );
    const smallest = await shrink(body, same);
    console.log(
      `\n${protocol}, --seed ${String(seed)}\n${message.slice(0, 1500)}\n${JSON.stringify(smallest.slice(0, 2000))}`,
    );
    if (found >= 10) break;
  }
}
await page.close();
console.log(
  `${String(count)} inputs from ${String(seeds)} seeds, ${String(inputs.length - seeds)} kept, ${String(found)} found; the first seed was ${String(first)}`,
);
process.exit(found > 0 ? 1 : 0);
