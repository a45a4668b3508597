import type { RoleTexts } from '../texts.ts';

const frFR: RoleTexts = {
  created: 'Rôle créé.',
  saved: 'Rôle enregistré.',
  deleted: 'Rôle supprimé.',
  narrowed: 'Rôles subordonnés ayant aussi perdu les entrées retirées : {n}.',
  nameTaken: 'Ce nom de rôle est déjà utilisé',
  between: ', ',
};

export default frFR;
