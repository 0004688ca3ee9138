import type { Catalogue } from '../text.ts';

/** English texts of the composer: attachments, dictation, commands and mentions. */
export const enComposerExtras = {
  'composer.dictate': 'Dictate',
  'composer.dictate-stop': 'Stop dictation',
  'composer.dictate-denied': 'Microphone access is blocked.',
  'composer.dictate-failed': 'No speech was detected.',
  'attach.list': 'Attachments',
  'attach.remove': 'Remove {name}',
  'attach.retry': 'Try {name} again',
  'attach.preparing': 'Reading',
  'attach.uploading': 'Uploading',
  'attach.uploading-part': 'Uploading, {percent} %',
  'attach.type': 'This file type isn’t supported.',
  'attach.size': 'Larger than {size}',
  'attach.count': { one: 'No more than {count} file', other: 'No more than {count} files' },
  'attach.empty': 'The file is empty.',
  'attach.photo': 'This browser can’t read this photo. Use a JPEG instead.',
  'attach.unreadable': 'The file can’t be read.',
  'attach.upload': 'The upload failed.',
  'menu.commands': 'Commands',
  'menu.mentions': 'Mentions',
  'menu.count': { one: '{count} suggestion', other: '{count} suggestions' },
} as const satisfies Catalogue;
