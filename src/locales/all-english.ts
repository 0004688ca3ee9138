/**
 * Loads the complete English catalogue. Every lazy module that shows text imports this module, because the first load
 * contains only the texts of the shell.
 */
import { en } from './en.ts';
import { addEnglish } from './localize.ts';

addEnglish(en);
