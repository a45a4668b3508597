import type { Language } from '../../../../catalogue/languages.ts';
import type { ImportRule } from './row.ts';

interface Texts {
  readonly rules: Readonly<Record<ImportRule, string>>;
  /** The second sheet of a template. */
  readonly optionSheet: string;
  readonly dataSheet: string;
  readonly template: string;
  readonly failed: string;
  /** Between a field and what is wrong with it. */
  readonly colon: string;
}

/** Texts of imports in the six languages; rules of fields have theirs in the catalogue. */
export const importTexts: Readonly<Record<Language, Texts>> = {
  'zh-CN': {
    rules: {
      decimalComma: '小数点写成了逗号：请返回“列”一步，为这一列勾选“小数点为逗号”', unreadable: '文字有无法识别的字节，请核对文件的编码', zeroPosition: '坐标为 0, 0，不是有效位置', outsideSystem: '坐标超出坐标系 {system} 的范围', farAway: '距其他位置 {km} 公里，请核对坐标、坐标系或经纬度是否颠倒',
      sameAsRow: '编号与第 {row} 行重复', ambiguous: '有多个同名的对象，请改用编号', exists: '编号已登记，本次导入不更新已有设备', notYours: '不在您的作业区范围内', changedMeanwhile: '检查之后此设备已被修改，请重新检查',
    },
    optionSheet: '可选值', dataSheet: '数据', template: '导入模板', failed: '未导入的行', colon: ': ',
  },
  'zh-TW': {
    rules: {
      decimalComma: '小數點寫成了逗號：請返回「欄位」一步，為這一欄勾選「小數點為逗號」', unreadable: '文字有無法識別的位元組，請確認檔案的編碼', zeroPosition: '座標為 0, 0，並非有效位置', outsideSystem: '座標超出座標系統 {system} 的範圍', farAway: '與其他位置相距 {km} 公里，請確認座標、座標系統或經緯度是否對調',
      sameAsRow: '編號與第 {row} 列重複', ambiguous: '有多個同名的項目，請改用編號', exists: '編號已登錄，本次匯入不更新既有設備', notYours: '不在您的作業區範圍內', changedMeanwhile: '檢查之後此設備已被修改，請重新檢查',
    },
    optionSheet: '可選項目', dataSheet: '資料', template: '匯入範本', failed: '未匯入的列', colon: ': ',
  },
  'en-US': {
    rules: {
      decimalComma: 'A comma stands before the decimals: go back to “Columns” and tick “Comma before decimals” for this column', unreadable: 'Some bytes are no characters: check the encoding of the file', zeroPosition: 'The coordinates are 0, 0, which is no real position', outsideSystem: 'The coordinates lie outside the system {system}', farAway: '{km} km from the other positions: check the coordinates, their system, and whether they are swapped',
      sameAsRow: 'Same code as row {row}', ambiguous: 'Several have this name: use the code', exists: 'The code is registered already, and this import does not update', notYours: 'Outside your work areas', changedMeanwhile: 'The device was changed after the check: check again',
    },
    optionSheet: 'Options', dataSheet: 'Data', template: 'Import template', failed: 'Rows not imported', colon: ': ',
  },
  'fr-FR': {
    rules: {
      decimalComma: 'Une virgule précède les décimales : revenez à « Colonnes » et cochez « Virgule décimale » pour cette colonne', unreadable: 'Certains octets ne sont pas des caractères : vérifiez l’encodage du fichier', zeroPosition: 'Les coordonnées sont 0, 0 : ce n’est pas une position réelle', outsideSystem: 'Coordonnées hors du système {system}', farAway: 'À {km} km des autres positions : vérifiez les coordonnées, leur système et leur ordre',
      sameAsRow: 'Même code que la ligne {row}', ambiguous: 'Plusieurs portent ce nom : utilisez le code', exists: 'Code déjà enregistré, et cet import ne met rien à jour', notYours: 'Hors de vos secteurs', changedMeanwhile: 'L’équipement a été modifié après la vérification : vérifiez de nouveau',
    },
    optionSheet: 'Valeurs possibles', dataSheet: 'Données', template: 'Modèle d’import', failed: 'Lignes non importées', colon: ' : ',
  },
  'ja-JP': {
    rules: {
      decimalComma: '小数点がコンマです。「列」に戻り、この列の「小数点はカンマ」にチェックを入れてください', unreadable: '文字として読めないバイトがあります。ファイルの文字コードを確認してください', zeroPosition: '座標が 0, 0 で、実在の位置ではありません', outsideSystem: '座標が座標系 {system} の範囲外です', farAway: '他の位置から {km} km 離れています。座標・座標系・緯度経度の順を確認してください',
      sameAsRow: '{row} 行目と同じコードです', ambiguous: '同じ名前が複数あります。コードを使ってください', exists: 'コードは登録済みで、今回のインポートでは更新しません', notYours: '担当の作業区の範囲外です', changedMeanwhile: '確認後にこの設備が変更されました。もう一度確認してください',
    },
    optionSheet: '選択肢', dataSheet: 'データ', template: 'インポート用テンプレート', failed: 'インポートされなかった行', colon: ': ',
  },
  'ko-KR': {
    rules: {
      decimalComma: '소수점이 쉼표입니다. “열” 단계로 돌아가 이 열의 “소수점은 쉼표”을(를) 선택하세요', unreadable: '문자로 읽을 수 없는 바이트가 있습니다. 파일의 인코딩을 확인하세요', zeroPosition: '좌표가 0, 0이어서 실제 위치가 아닙니다', outsideSystem: '좌표가 좌표계 {system}의 범위를 벗어났습니다', farAway: '다른 위치에서 {km}km 떨어져 있습니다. 좌표, 좌표계, 경위도 순서를 확인하세요',
      sameAsRow: '{row}행과 코드가 같습니다', ambiguous: '같은 이름이 여러 개입니다. 코드를 사용하세요', exists: '이미 등록된 코드이며 이번 가져오기는 기존 설비를 갱신하지 않습니다', notYours: '담당 작업 구역이 아닙니다', changedMeanwhile: '확인 후 설비가 변경되었습니다. 다시 확인하세요',
    },
    optionSheet: '선택 값', dataSheet: '데이터', template: '가져오기 양식', failed: '가져오지 못한 행', colon: ': ',
  },
};
