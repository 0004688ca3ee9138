import { readFile } from 'node:fs/promises';
import { ChatError } from '../../src/errors.ts';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import { mapProtocol } from '../../src/protocols/mapping/map-protocol.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { UsageError, type Options } from '../options.ts';

/** The adapter of the protocol or mapping given on the command line. */
export async function adapterOf({ protocol = 'auto', mapping }: Options): Promise<Adapter | undefined> {
  if (mapping !== undefined) {
    try {
      return mapProtocol(await readJsonFile(mapping));
    } catch (cause) {
      throw cause instanceof ChatError ? new UsageError(`${mapping}: ${cause.message}`, { cause }) : cause;
    }
  }
  if (protocol === 'auto') return undefined;
  const entry = protocols.get(protocol);
  if (entry) return entry.load();
  const ids = protocols.list().map(({ id }) => id);
  throw new UsageError(`Unknown protocol "${protocol}". Available: ${ids.join(', ')}.`);
}

export async function readJsonFile(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch (cause) {
    throw new UsageError(`${file} can't be read as JSON.`, { cause });
  }
}
