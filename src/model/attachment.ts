import type { AssistantMessageBlock, Media } from './blocks.ts';

/** A file that is sent with a message of the user. */
export type Attachment = Media;

/** Converts a file block to an attachment. Returns an empty list for other blocks and for files without content or URL. */
export function toAttachment(block: AssistantMessageBlock): readonly Attachment[] {
  switch (block.type) {
    case 'image': {
      const { url, image_data } = block;
      const fields = { kind: 'image', ...nameOf(block) } as const;
      if (image_data) return [{ ...fields, ...image_data }];
      return url === undefined ? [] : [{ ...fields, url }];
    }
    case 'audio':
    case 'video':
    case 'file': {
      const { type: kind, url, data, mimeType } = block;
      const fields = { kind, ...(mimeType !== undefined && { mimeType }), ...nameOf(block) };
      if (data !== undefined) return [{ ...fields, data }];
      return url === undefined ? [] : [{ ...fields, url }];
    }
    default:
      return [];
  }
}

const nameOf = ({ name, size }: { readonly name?: string; readonly size?: number }): Pick<Media, 'name' | 'size'> => ({
  ...(name !== undefined && { name }),
  ...(size !== undefined && { size }),
});
