import { enArtifacts } from './en-artifacts.ts';
import { enComposerExtras } from './en-composer-extras.ts';
import { enData } from './en-data.ts';
import { enHeader } from './en-header.ts';
import { enInspector } from './en-inspector.ts';
import { enQuestions } from './en-questions.ts';
import { enSurfaces } from './en-surfaces.ts';
import { enTranscript } from './en-transcript.ts';
import { enWork } from './en-work.ts';

/** The English texts that a plain answer does not need. They load together, with the first part that shows one of them. */
export const enLazyParts = {
  ...enHeader,
  ...enComposerExtras,
  ...enTranscript,
  ...enWork,
  ...enQuestions,
  ...enData,
  ...enArtifacts,
  ...enSurfaces,
  ...enInspector,
};
