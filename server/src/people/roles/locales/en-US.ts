import type { RoleTexts } from '../texts.ts';

const enUS: RoleTexts = {
  created: 'Role created.',
  saved: 'Role saved.',
  deleted: 'Role deleted.',
  narrowed: 'Roles below it that lost the removed entries too: {n}.',
  nameTaken: 'This role name is already taken',
  between: ', ',
};

export default enUS;
