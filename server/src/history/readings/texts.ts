import type { Language } from '../../../../catalogue/languages.ts';

interface HistoryTexts {
  readonly title: string;
  readonly time: string; readonly code: string; readonly name: string; readonly readings: string; readonly quality: string;
  /** After the name of a quantity. */
  readonly least: string; readonly greatest: string;
  readonly qualities: readonly [measured: string, estimated: string, stale: string, invalid: string];
}

/** Words of a file of the history. */
export const historyTexts: Readonly<Record<Language, HistoryTexts>> = {
  'zh-CN': { title: '历史曲线', time: '时间', code: '设备编号', name: '设备名称', readings: '读数条数', quality: '数据质量', least: '最小值', greatest: '最大值', qualities: ['实测', '估算', '滞后', '无效'] },
  'zh-TW': { title: '歷史曲線', time: '時刻', code: '裝置編號', name: '裝置名稱', readings: '讀數筆數', quality: '資料品質', least: '最低值', greatest: '最高值', qualities: ['量測', '推估', '延遲', '不採計'] },
  'en-US': { title: 'History', time: 'Time', code: 'Device code', name: 'Device name', readings: 'Readings', quality: 'Quality', least: 'least', greatest: 'greatest', qualities: ['measured', 'estimated', 'stale', 'invalid'] },
  'fr-FR': { title: 'Historique', time: 'Heure', code: 'Code de l’équipement', name: 'Nom de l’équipement', readings: 'Relevés', quality: 'Qualité', least: 'minimum', greatest: 'maximum', qualities: ['mesuré', 'estimé', 'ancien', 'non valable'] },
  'ja-JP': { title: '履歴', time: '日時', code: '機器コード', name: '機器名', readings: '計測回数', quality: 'データ品質', least: '最小', greatest: '最大', qualities: ['実測', '推定', '遅延', '無効'] },
  'ko-KR': { title: '이력', time: '시각', code: '장치 코드', name: '장치 이름', readings: '측정 횟수', quality: '데이터 품질', least: '최솟값', greatest: '최댓값', qualities: ['실측', '추정', '지연', '무효'] },
};
