import type { MenuTexts } from '../texts.ts';

const frFR: MenuTexts = {
  root: 'Configuration des routes asynchrones',
  types: { menu1: 'Menu de premier niveau', menu2: 'Menu de deuxième ou troisième niveau', 'menu2-sp': 'Menu de deuxième niveau contenant un troisième', 'non-menu': 'Page hors menu', button: 'Bouton' },
  added: 'Nœud ajouté',
  updated: 'Nœud mis à jour',
  deleted: 'Nœud supprimé',
  typeRequired: 'Choisissez le type de ce nœud',
  titleRequired: 'Saisissez le titre de la route',
  nameRequired: 'Saisissez le nom de la route',
  nameChinese: 'Saisissez un nom de route valide, sans caractères chinois.',
  urlRequired: 'Saisissez le chemin de la route',
  urlChinese: 'Saisissez un chemin de route valide, sans caractères chinois.',
  urlSlash: 'Le chemin d’une route de premier niveau doit commencer par une barre oblique',
  componentRequired: 'Saisissez le composant de la route',
  componentChinese: 'Saisissez un chemin de composant valide, sans caractères chinois.',
  codeRequired: 'Choisissez le code d’autorisation du bouton',
  codeUnknown: 'Ce code d’autorisation n’existe pas ; choisissez-en un dans la liste',
};

export default frFR;
