/** A subset of Grafana's dark theme. */
export const style = `
* { box-sizing: border-box; }
body { margin: 0; width: 1600px; background: #111217; color: #ccccdc; font: 13px/1.45 Inter, "Noto Sans", "DejaVu Sans", Arial, sans-serif; }
header { height: 56px; padding: 0 8px; display: flex; align-items: center; gap: 12px; }
header h1 { font-size: 19px; font-weight: 500; margin: 0 16px 0 4px; }
header span { border: 1px solid rgba(204, 204, 220, 0.2); border-radius: 3px; padding: 3px 10px; font-size: 12px; max-width: 420px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
header label { color: #6e9fff; margin-right: 8px; }
header .time { margin-left: auto; }
main { position: relative; }
h2 { position: absolute; margin: 0; padding: 4px 4px; font-size: 15px; font-weight: 500; }
h2::before { content: "⌄"; margin-right: 8px; color: #9a9ba6; }
section { position: absolute; display: flex; flex-direction: column; background: #181b1f; border: 1px solid rgba(204, 204, 220, 0.12); border-radius: 2px; padding: 0 8px 6px; overflow: hidden; }
section h3 { margin: 0; padding: 6px 0 4px; font-size: 13.5px; font-weight: 500; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; flex: none; }
.note { color: #9a9ba6; font-size: 11.5px; padding-bottom: 2px; }
.stats { flex: 1; display: flex; gap: 4px; min-height: 0; }
.stat { flex: 1; position: relative; display: flex; flex-direction: column; justify-content: center; align-items: center; min-width: 0; overflow: hidden; }
.stat { container-type: inline-size; }
.stat b { margin-bottom: 14px; font-size: min(28px, calc(150cqw / var(--characters, 1))); font-weight: 500; line-height: 1.1; z-index: 1; white-space: nowrap; }
.stat em { font-style: normal; font-size: 13px; color: #ccccdc; z-index: 1; }
.stat svg { position: absolute; left: 0; right: 0; bottom: 0; width: 100%; height: 36%; }
.table { overflow: hidden; }
.table td { vertical-align: top; }
table { border-collapse: collapse; width: 100%; font-size: 12.5px; }
th { text-align: left; color: #6e9fff; font-weight: 500; }
th, td { padding: 5px 8px; border-bottom: 1px solid rgba(204, 204, 220, 0.1); white-space: nowrap; }
td.number { font-variant-numeric: tabular-nums; }
.text { overflow: hidden; }
.text table { width: auto; }
.text th, .text td { white-space: normal; vertical-align: top; padding: 3px 8px; }
.text p, .text ul, .text ol { margin: 4px 0 8px; }
.text h1, .text h2, .text h3 { position: static; font-size: 14px; padding: 4px 0; margin: 0; white-space: normal; }
.text h2::before { content: none; }
.text a { color: #6e9fff; }
pre { background: #22252b; border-radius: 2px; padding: 6px 8px; margin: 4px 0; font-size: 12px; }
code { background: #22252b; border-radius: 2px; padding: 1px 4px; font-size: 12px; }
.empty { flex: 1; display: flex; align-items: center; justify-content: center; color: #9a9ba6; }
footer { height: 40px; padding: 10px 12px; color: #84858f; font-size: 11.5px; }
`;
