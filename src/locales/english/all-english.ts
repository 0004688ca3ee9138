/**
 * Loads the English texts of all lazy parts. Every lazy module that shows text imports this module or adds its own,
 * because the first load contains only the texts of the shell, and the conversation those of a plain answer.
 */
import { enContent } from './en-content.ts';
import { enAnswer } from './en-answer.ts';
import { enLazyParts } from './en-lazy-parts.ts';
import { addEnglish } from './loaded-english.ts';

for (const texts of [enContent, enAnswer, enLazyParts]) addEnglish(texts);
