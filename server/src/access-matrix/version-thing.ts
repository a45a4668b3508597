/** The columns of something whose draft is being edited. */
export const drafted = (content: object) => ({ name: 'matrix', draft: content, draft_by: 'x', draft_at: new Date() });
/** The columns of its first version. */
export const version = (content: object) => ({
  number: 1,
  content,
  content_hash: 'x'.repeat(64),
  created_by: 'x',
  created_at: new Date(),
});
