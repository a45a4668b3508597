import type { RoleTexts } from '../texts.ts';

const frFR: RoleTexts = {
  created: 'Rôle créé.',
  saved: 'Rôle enregistré.',
  deleted: 'Rôle supprimé.',
  narrowed: 'Rôles subordonnés ayant aussi perdu les entrées retirées : {n}.',
  between: ', ',
};

export default frFR;
