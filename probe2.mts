import {buildSite} from './generator/pipeline/build.ts';
import {rmSync} from 'node:fs';
const out=process.argv[2]!; const t0=performance.now(); let last='';
await buildSite({database:process.argv[3]??'/dev/shm/u.sqlite',out,baseUrl:null,exports:'current',keepAll:false,full:false},(n,d,o)=>{ if(n!==last||d===o||d===1){last=n;console.log((performance.now()-t0).toFixed(0),n,d,o)}});
console.log('end',(performance.now()-t0).toFixed(0), process.resourceUsage().maxRSS/1024);
