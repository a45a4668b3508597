import type { AccountTexts } from '../password-rule.ts';

const frFR: AccountTexts = {
  passwordRule: 'De 8 à 20 caractères, avec au moins 3 de ces sortes : minuscules, majuscules, chiffres, caractères spéciaux. Pas de suite de 4 touches voisines d’une même rangée du clavier (QWERTY), dans un sens ou dans l’autre, sans tenir compte de la casse. Le mot de passe ne doit ni contenir le nom du compte, ni figurer parmi les 5 derniers. Il ne doit pas être un mot de passe courant, même avec des majuscules, des lettres remplacées par des chiffres ou des signes, ou des chiffres ou des signes au début ou à la fin.',
};

export default frFR;
