import type { Catalogue } from '../text.ts';

/** English texts of artifacts and the panel beside the conversation. */
export const enArtifacts = {
  'artifact.enlarge': 'Open in panel',
  'artifact.versions': 'Versions',
  'artifact.open': 'Preview',
  'artifact.source': 'Source',
  'artifact.download': 'Download',
  'artifact.frame': 'Preview of {title}',
  'artifact.no-preview': 'This page does not allow previews. Here is the source.',
  'artifact.took-focus':
    'This preview was closed because it took the keyboard while you were typing. Here is the source.',
  'artifact.filled-history': 'This preview was closed because it filled the history of this tab. Here is the source.',
  'artifact.type.application/vnd.ant.code': 'Code',
  'artifact.type.text/markdown': 'Document',
  'artifact.type.text/html': 'HTML page',
  'artifact.type.image/svg+xml': 'SVG image',
  'artifact.type.application/vnd.ant.mermaid': 'Diagram',
  'artifact.type.application/vnd.ant.react': 'React component',
  'side.close': 'Close panel',
} as const satisfies Catalogue;
