import type { Catalogue } from '../text.ts';

/** English texts of tables, charts, media and files. */
export const enData = {
  'data.table': 'Table',
  'data.chart': 'Chart',
  'data.show-all': 'Show all',
  'data.as-table': 'Show as table',
  'data.as-chart': 'Show as chart',
  'data.value': 'Value',
  'data.empty': 'No data',
  'data.items': { one: '{count} entry', other: '{count} entries' },
  'media.host': 'Media from {host}',
  'media.load': 'Load',
  'media.play': 'Play',
  'media.audio': 'Audio',
  'media.video': 'Video',
  'file.download': 'Download {name}',
  'file.unnamed': 'File',
} as const satisfies Catalogue;
