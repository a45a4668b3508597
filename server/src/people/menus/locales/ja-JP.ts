import type { MenuTexts } from '../texts.ts';

const jaJP: MenuTexts = {
  root: '非同期ルート設定',
  types: { menu1: '第1階層メニュー', menu2: '第2または第3階層メニュー', 'menu2-sp': '第3階層を含む第2階層メニュー', 'non-menu': 'メニューに表示しないページ', button: 'ボタン' },
  added: 'ノードを追加しました',
  updated: 'ノードを更新しました',
  deleted: '削除しました',
  typeRequired: 'このノードの種類を選択してください',
  titleRequired: 'ルートのタイトルを入力してください',
  nameRequired: 'ルート名を入力してください',
  nameChinese: '漢字を含まない正しいルート名を入力してください。',
  urlRequired: 'ルートのパスを入力してください',
  urlChinese: '漢字を含まない正しいパスを入力してください。',
  urlSlash: '第1階層のパスは「/」で始めてください',
  componentRequired: 'ルートのコンポーネントを入力してください',
  componentChinese: '漢字を含まない正しいコンポーネントのパスを入力してください。',
  codeRequired: 'ボタンの権限コードを選択してください',
  codeUnknown: 'この権限コードは存在しません。一覧から選択してください',
};

export default jaJP;
