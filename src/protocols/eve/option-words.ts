/** Which of an approval's options approves and which denies. */
import { APPROVES, DENIES } from '../core/decision-words.ts';

/** Words that do not change the meaning of an option: `approve_once`. */
const SUFFIX = /[-_](?:now|once|this|it|tool|call|action|run|request)$/i;

export const isApproval = (option: string): boolean => APPROVES.test(option.replace(SUFFIX, ''));
export const isDenial = (option: string): boolean => DENIES.test(option.replace(SUFFIX, ''));
