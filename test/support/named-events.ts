import type { Adapter } from '../../src/protocols/core/adapter.ts';
import { isRecord, parseJson } from '../../src/model/json.ts';
import type { Frame } from '../../src/transport/frame.ts';

/**
 * An adapter whose frame kinds are event names, read from frames of `{name, data}`: so that templates can have names.
 */
export const byName = (adapter: Adapter): Adapter => ({
  ...adapter,
  decode: (batches, context) => adapter.decode(named(batches), context),
});

async function* named(batches: AsyncIterable<readonly Frame[]>): AsyncGenerator<readonly Frame[]> {
  for await (const batch of batches) {
    yield batch.map((frame) => {
      const json = parseJson(frame.data);
      return isRecord(json) && typeof json['name'] === 'string'
        ? { data: JSON.stringify(json['data'] ?? null), event: json['name'] }
        : frame;
    });
  }
}
