import type { Catalogue } from '../text.ts';

/** English texts of the stream inspector. */
export const enInspector = {
  'inspector.title': 'Stream inspector',
  'inspector.empty': 'Send a message to see its events.',
  'inspector.turn': 'Turn',
  'inspector.filter': 'Filter',
  'inspector.frames': 'Frames',
  'inspector.events': 'Events',
  'inspector.blocks': 'Blocks',
  'inspector.nothing': 'No entries',
  'inspector.copy': 'Copy {list}',
  'inspector.download': 'Download',
  'inspector.clear': 'Clear',
  'inspector.close': 'Close details',
  'inspector.earlier': { one: 'Show {count} earlier', other: 'Show {count} earlier' },
  'inspector.first': 'first frame after {time}',
  'inspector.related': 'Related: frames {frames}, events {events}, blocks {blocks}',
  'inspector.dropped': '{count} dropped',
} as const satisfies Catalogue;
