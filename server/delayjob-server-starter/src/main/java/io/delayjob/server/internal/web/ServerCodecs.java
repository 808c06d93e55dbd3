package io.delayjob.server.internal.web;

import io.delayjob.server.web.Body;
import io.delayjob.server.web.ServerJson;
import io.delayjob.server.web.View;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.codec.CodecConfigurer;
import org.springframework.http.codec.json.JacksonJsonDecoder;
import org.springframework.http.codec.json.JacksonJsonEncoder;
import org.springframework.util.MimeType;
import reactor.core.publisher.Mono;

/** Reads {@link Body} and writes {@link View} as {@link ServerJson} has it; all other types stay with the application's mapper. */
public final class ServerCodecs {

    private ServerCodecs() {}

    /**
     * Adds both.
     *
     * @param maxBodyBytes the largest body; a larger one is refused before it is read to its end
     */
    public static void register(CodecConfigurer codecs, int maxBodyBytes) {
        Decoder decoder = new Decoder();
        decoder.setMaxInMemorySize(maxBodyBytes);
        codecs.customCodecs().register(decoder);
        codecs.customCodecs().register(new Encoder());
    }

    private static boolean is(Class<?> kind, ResolvableType type) {
        return kind.isAssignableFrom(type.toClass());
    }

    private static final class Decoder extends JacksonJsonDecoder {

        Decoder() {
            super(ServerJson.mapper());
        }

        @Override
        public boolean canDecode(ResolvableType type, @Nullable MimeType mimeType) {
            return is(Body.class, type) && super.canDecode(type, mimeType);
        }

        @Override
        public Mono<Object> decodeToMono(
                Publisher<DataBuffer> body,
                ResolvableType type,
                @Nullable MimeType mimeType,
                @Nullable Map<String, Object> hints) {
            return WholeBody.parts(body, getMaxInMemorySize())
                    .mapNotNull(whole -> decode(whole, type, mimeType, hints));
        }
    }

    private static final class Encoder extends JacksonJsonEncoder {

        Encoder() {
            super(ServerJson.mapper());
        }

        @Override
        public boolean canEncode(ResolvableType type, @Nullable MimeType mimeType) {
            return is(View.class, type) && super.canEncode(type, mimeType);
        }
    }
}
